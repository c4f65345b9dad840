import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../../lib/clock';
import { acceptMessage, acceptOne, anAcceptance, createSender, nextSerial, refundRecord } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { at } from '../helpers';
import { valuesSeen } from '../log-reading';

/** One message per idempotency key (I9), scoped per account, without expiry (docs/contract.md#idempotency-key). */
export function describeIdempotency(open: OpenEngine): void {
  describe('an idempotency key', () => {
    const subject = sharedEngine(open);
    const newKey = () => `pesanan-${nextSerial()}`;

    it('that was used answers the first message', async () => {
      const sender = await createSender(subject.stores);
      const key = newKey();
      const first = await acceptMessage(subject.stores, sender, { idempotencyKey: key });
      const again = anAcceptance(sender, { idempotencyKey: key });
      const { messages } = subject.stores;
      expect(await acceptOne(messages, again)).toEqual({ kind: 'duplicate', id: first.id, status: 'queued' });
      expect(await messages.findByIdempotencyKey(sender.workspace.id, key)).toEqual({ id: first.id, status: 'queued' });
      expect(await messages.get(again.facts.id)).toBeNull();
    });

    it('answers with the status the message has by then', async () => {
      const sender = await createSender(subject.stores);
      const key = newKey();
      const { id } = await acceptMessage(subject.stores, sender, { idempotencyKey: key });
      const { messages } = subject.stores;
      await messages.change(id, () => ({ set: { status: 'failed', dueAt: null }, at: TEST_START, records: [] }));
      expect(await messages.findByIdempotencyKey(sender.workspace.id, key)).toEqual({ id, status: 'failed' });
      const again = anAcceptance(sender, { idempotencyKey: key });
      expect(await acceptOne(messages, again)).toEqual({ kind: 'duplicate', id, status: 'failed' });
    });

    it('belongs to one workspace', async () => {
      const [ours, theirs] = [await createSender(subject.stores), await createSender(subject.stores)];
      const key = newKey();
      await acceptMessage(subject.stores, ours, { idempotencyKey: key });
      expect(await subject.stores.messages.findByIdempotencyKey(theirs.workspace.id, key)).toBeNull();
      const outcome = await acceptOne(subject.stores.messages, anAcceptance(theirs, { idempotencyKey: key }));
      expect(outcome).toEqual({ kind: 'accepted' });
    });

    it('is compared to the letter', async () => {
      const sender = await createSender(subject.stores);
      const base = newKey();
      const keys = [`${base}-a`, `${base}-A`, `${base}-a `, `${base}-é`, `${base}-e\u0301`, `${base}-_`, `${base}-%`];
      for (const idempotencyKey of keys) await acceptMessage(subject.stores, sender, { idempotencyKey });
      expect((await subject.stores.messages.list(sender.workspace.id, { offset: 0, limit: 1 })).total).toBe(
        keys.length,
      );
    });

    it('is not needed: messages without one are all accepted', async () => {
      const sender = await createSender(subject.stores);
      for (let count = 0; count < 3; count += 1) await acceptMessage(subject.stores, sender);
      expect((await subject.stores.messages.list(sender.workspace.id, { offset: 0, limit: 1 })).total).toBe(3);
    });

    it('raced by 50 makes one message; the losers get its id and leave no trace', async () => {
      const sender = await createSender(subject.stores);
      const key = newKey();
      const racers = Array.from({ length: 50 }, (_, index) => {
        const acceptance = anAcceptance(sender, {
          idempotencyKey: key,
          body: { html: `<p>${index}</p>` },
          attachmentsUntil: TEST_START + DAY,
          attachments: [{ filename: `${index}.txt`, contentType: 'text/plain', content: Buffer.from(String(index)) }],
        });
        return { ...acceptance, records: [refundRecord(acceptance.facts, index)] };
      });
      const { messages } = subject.stores;
      const outcomes = await Promise.all(racers.map((racer) => acceptOne(messages, racer)));
      const winners = racers.filter((_, index) => at(outcomes, index).kind === 'accepted');
      expect(winners).toHaveLength(1);
      const winner = at(winners, 0);
      const lost = { kind: 'duplicate', id: winner.facts.id, status: 'queued' };
      expect(outcomes.filter(({ kind }) => kind === 'duplicate')).toEqual(Array(49).fill(lost));
      const { total, items } = await messages.list(sender.workspace.id, { offset: 0, limit: 10 });
      expect([total, items.map(({ id }) => id)]).toEqual([1, [winner.facts.id]]);
      const jobs = await Promise.all(racers.map(({ facts }) => messages.job(facts.id)));
      expect(jobs.flatMap((job) => (job ? [job.body] : []))).toEqual([winner.body]);
      expect(jobs.flatMap((job) => job?.attachments ?? [])).toEqual(winner.attachments);
      const seen = await valuesSeen(subject.log, 'coins', 1, ({ workspaceId }) => workspaceId === sender.workspace.id);
      expect(seen).toEqual([at(winner.records, 0).value]);
    });

    it('still holds after a crash', async () => {
      const sender = await createSender(subject.stores);
      const key = newKey();
      const { id } = await acceptMessage(subject.stores, sender, { idempotencyKey: key });
      await subject.crash();
      const again = anAcceptance(sender, { idempotencyKey: key });
      expect(await acceptOne(subject.stores.messages, again)).toEqual({ kind: 'duplicate', id, status: 'queued' });
    });
  });
}
