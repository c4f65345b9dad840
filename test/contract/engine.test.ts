import { describe, expect, it } from '@jest/globals';
import { acceptOne, aGrant, anAcceptance, createSender, refundRecord } from '../support/builders';
import { onMongodbAndKafka } from './cluster/open';
import { onEveryDriver } from './drivers';
import { freshEngine, type OpenEngine } from './harness';
import { atOnce } from './helpers';
import { valuesSeen } from './log-reading';
import { PATIENCE } from '../support/limits';

/** The behaviour required of every engine beyond its ports: a clean end. */
function describeEngine(open: OpenEngine): void {
  describe('Engine', () => {
    const subject = freshEngine(open);

    it('finishes the writes under way before it closes: what was acknowledged is there, records too', async () => {
      const sender = await createSender(subject.stores);
      const acknowledged: string[] = [];
      const { messages } = subject.stores;
      const accepts = atOnce(100, async () => {
        const acceptance = anAcceptance(sender);
        await messages.accept([{ ...acceptance, records: [refundRecord(acceptance.facts, 1)] }]);
        acknowledged.push(acceptance.facts.id);
      });
      await Promise.all([accepts, subject.close()]);
      await subject.crash();
      expect(acknowledged).toHaveLength(100);
      const { total } = await subject.stores.messages.list(sender.workspace.id, { offset: 0, limit: 1 });
      expect(total).toBe(100);
      const seen = await valuesSeen(
        subject.log,
        'coins',
        100,
        ({ workspaceId }) => workspaceId === sender.workspace.id,
      );
      expect(seen.map(({ messageId }) => messageId).sort()).toEqual(acknowledged.sort());
    });

    it('refuses writes that come after it was closed', async () => {
      const sender = await createSender(subject.stores);
      const { messages, coins } = subject.stores;
      await subject.close();
      await expect(acceptOne(messages, anAcceptance(sender))).rejects.toThrow();
      await expect(coins.post(aGrant(sender.workspace.id, 1))).rejects.toThrow();
    });

    it('closes while a reader waits for records', async () => {
      const reader = await subject.log.reader('coins');
      const waiting = reader.poll(10, AbortSignal.timeout(PATIENCE)).catch(() => []);
      await new Promise(setImmediate);
      await subject.close();
      expect(await waiting).toEqual([]);
    });

    it('starts again with everything it had, several times over', async () => {
      const sender = await createSender(subject.stores);
      for (let life = 0; life < 3; life += 1) {
        await subject.stores.messages.accept([anAcceptance(sender)]);
        if (life === 1) await subject.close();
        await subject.crash();
      }
      expect((await subject.stores.messages.list(sender.workspace.id, { offset: 0, limit: 1 })).total).toBe(3);
      const isOwn = ({ workspaceId }: { workspaceId: number }): boolean => workspaceId === sender.workspace.id;
      // A record that was on its way at a crash may come twice.
      expect(await valuesSeen(subject.log, 'throttle', 3, isOwn)).toHaveLength(3);
    });
  });
}

onEveryDriver(describeEngine, onMongodbAndKafka);
