import { describe, expect, it } from '@jest/globals';
import type { OperatorAct } from '../../stores/ports/operator-log';
import { TEST_START } from '../support/clock';
import { onEveryDriver } from './drivers';
import { freshEngine, type OpenEngine } from './harness';
import { atOnce, inTurn } from './helpers';

const anAct = (n: number): OperatorAct => ({
  at: TEST_START + n,
  actor: 'siti@server',
  action: 'key show',
  target: `kunci "${n}" 🔑`,
  workspaceId: n % 2 === 0 ? n : null,
});

/** The OperatorLog behaviour required of every driver. */
function describeOperatorLog(open: OpenEngine): void {
  describe('OperatorLog', () => {
    const subject = freshEngine(open);

    it('is empty at first', async () => {
      expect(await subject.stores.operatorLog.list(10)).toEqual([]);
    });

    it('lists entries with every field, newest first, up to the limit and page by page', async () => {
      const { operatorLog } = subject.stores;
      await inTurn(5, (n) => operatorLog.append(anAct(n)));
      const all = await operatorLog.list(10);
      expect(all.map(({ id: _id, ...act }) => act)).toEqual([4, 3, 2, 1, 0].map(anAct));
      expect(await operatorLog.list(2)).toEqual(all.slice(0, 2));
      expect(await operatorLog.list(2, all[1]?.id)).toEqual(all.slice(2, 4));
      expect(await operatorLog.list(10, all[4]?.id)).toEqual([]);
    });

    it('keeps equal entries apart, also when many are written at once', async () => {
      await atOnce(50, () => subject.stores.operatorLog.append(anAct(1)));
      expect(new Set((await subject.stores.operatorLog.list(100)).map(({ id }) => id)).size).toBe(50);
    });

    it('has lost no acknowledged entry after a crash', async () => {
      await subject.stores.operatorLog.append(anAct(1));
      const before = await subject.stores.operatorLog.list(10);
      await subject.crash();
      expect(await subject.stores.operatorLog.list(10)).toEqual(before);
    });
  });
}

onEveryDriver(describeOperatorLog);
