import { describe, expect, it } from '@jest/globals';
import { ledgerId } from '../../../domain/ledger/coins';
import { acceptMessage, aGrant, createSender } from '../../support/builders';
import { acceptMany, claimAll, claimRequest, holdShard, idsOf } from '../claiming';
import { sharedEngine, type OpenEngine } from '../harness';
import { atOnce } from '../helpers';
import { valuesSeen } from '../log-reading';

/** Claims that race: no message twice, no coin twice. */
export function describeClaimsAtOnce(open: OpenEngine): void {
  describe('claims at once', () => {
    const subject = sharedEngine(open);

    it('never take a message twice', async () => {
      const sender = await createSender(subject.stores);
      const accepted = await acceptMany(subject, sender, 40);
      const lease = await holdShard(subject);
      const results = await atOnce(10, () => subject.stores.queue.claim(claimRequest(lease, sender, { limit: 4 })));
      const claimed = results.flatMap((result) => (result.kind === 'claimed' ? result.claimed : []));
      expect(claimed).toHaveLength(40);
      expect(new Set(claimed)).toEqual(new Set(idsOf(accepted)));
      const seen = await valuesSeen(subject.log, 'dispatch', 40, ({ messageId }) => claimed.includes(messageId));
      expect(seen.every(({ attempt }) => attempt === 1)).toBe(true);
      expect(seen).toHaveLength(40);
    });

    it('never spend a coin that is not there', async () => {
      const sender = await createSender(subject.stores, { coins: 25 });
      await acceptMany(subject, sender, 40);
      const lease = await holdShard(subject);
      const results = await atOnce(10, () => subject.stores.queue.claim(claimRequest(lease, sender, { limit: 7 })));
      const claimed = results.flatMap((result) => (result.kind === 'claimed' ? result.claimed : []));
      const rest = await claimAll(subject, sender);
      const sent = [...claimed, ...idsOf(rest.claimed)];
      expect(sent).toHaveLength(25);
      expect((await subject.stores.coins.account(sender.workspace.id)).balance).toBe(0);
      const rows = await subject.stores.coins.rows(sender.workspace.id, 0, 100);
      const debits = rows.filter(({ kind }) => kind === 'debit').map(({ id }) => id);
      expect(debits.sort()).toEqual(sent.map((id) => ledgerId.debit(id, 1)).sort());
      const { total } = await subject.stores.messages.list(sender.workspace.id, {
        status: 'failed',
        offset: 0,
        limit: 1,
      });
      expect(total).toBe(15);
    });

    it('keep balance and ledger equal while coins come and go beside them', async () => {
      const sender = await createSender(subject.stores, { coins: 10 });
      await acceptMany(subject, sender, 30);
      const lease = await holdShard(subject);
      await Promise.all([
        atOnce(10, () => subject.stores.queue.claim(claimRequest(lease, sender, { limit: 2 }))),
        atOnce(10, () => subject.stores.coins.post(aGrant(sender.workspace.id, 3))),
        atOnce(10, () => acceptMessage(subject.stores, sender)),
        atOnce(3, () => subject.stores.coins.post(aGrant(sender.workspace.id, -4, { kind: 'penalty' }))),
      ]);
      const rows = await subject.stores.coins.rows(sender.workspace.id, 0, 1_000);
      const sum = rows.reduce((total, { amount }) => total + amount, 0);
      expect((await subject.stores.coins.account(sender.workspace.id)).balance).toBe(sum);
      const { total } = await subject.stores.messages.list(sender.workspace.id, {
        status: 'sending',
        offset: 0,
        limit: 1,
      });
      expect(rows.filter(({ kind }) => kind === 'debit')).toHaveLength(total);
    });
  });
}
