import { expect, it } from '@jest/globals';
import { campaignRecords } from '../../../operations/audit/campaign-records';
import type { TallyRecord } from '../../../domain/audit/check-campaign-tally';
import { aSignal } from '../../support/builders';
import { sharedEngine, type OpenEngine } from '../harness';
import { at } from '../helpers';
import { messagesOf, running, type Prepared } from './support';

/** What the audit reads of the opens, clicks and unsubscribes of a campaign. */
export function describeTally(open: OpenEngine): void {
  const subject = sharedEngine(open);
  const tallyOf = async ({ campaign }: Prepared): Promise<TallyRecord | undefined> => {
    const source = await subject.audit();
    const found: TallyRecord[] = [];
    await source.snapshot(async (rows) => {
      for await (const page of campaignRecords(rows, campaign.workspaceId))
        found.push(...page.map(({ tally }) => tally));
    });
    return found[0];
  };

  // spec: docs/contract.md#show-a-campaign: the audit counts opens, clicks and unsubscribes again
  it('the audit reads the counts that are kept and counts the signals again, those of deleted contacts apart', async () => {
    const prepared = await running(subject);
    const { campaign, members } = prepared;
    const messages = await messagesOf(subject, campaign);
    const hit = (n: number, kind: 'open' | 'click' | 'unsubscribe') =>
      subject.stores.signals.store(aSignal(at(messages, n).id, { kind }), campaign.workspaceId, []);
    for (const [n, kind] of [
      [0, 'open'],
      [0, 'open'],
      [0, 'click'],
      [1, 'click'],
      [1, 'unsubscribe'],
    ] as const) {
      await hit(n, kind);
    }
    const two = { opens: 2, clicks: 2, unsubscribes: 1 };
    expect(await tallyOf(prepared)).toMatchObject({ stored: two, least: two, most: two });
    await subject.stores.contacts.delete(campaign.workspaceId, at(members, 1).id);
    await subject.stores.contacts.delete(campaign.workspaceId, at(members, 2).id);
    await hit(2, 'open');
    expect(await tallyOf(prepared)).toMatchObject({
      stored: two,
      least: { opens: 1, clicks: 1, unsubscribes: 0 },
      most: { opens: 3, clicks: 2, unsubscribes: 1 },
    });
  });
}
