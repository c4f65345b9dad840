import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OverdueSuspects } from '../../../operations/audit/overdue-suspects';
import { readAliveUntil } from '../../../operations/audit/rows';
import { findOverdue } from '../../../domain/audit/check-deadline';
import { DAY } from '../../../lib/clock';
import { failed } from '../../../domain/messages/lifecycle';
import type { Message } from '../../../domain/messages/message';
import type { AuditSource } from '../../../stores/ports/audit-source';
import { Subject } from '../../contract/harness';
import { openTemporary } from '../../contract/embedded/open';
import { acceptMessage, createSender } from '../../support/builders';
import { TEST_START } from '../../support/clock';

const subject = new Subject(openTemporary);
let source: AuditSource;
beforeAll(async () => {
  await subject.open();
  await subject.stores.leases.acquire('throttle/0', 'me', TEST_START + 2 * DAY, 15_000);
  source = await subject.audit();
});
afterAll(() => subject.destroy());

/** A message whose wait for a report was over a day before the service was last seen. */
async function overdue(): Promise<Message> {
  const { id } = await acceptMessage(subject.stores, await createSender(subject.stores));
  const set = { status: 'sent_to_mta' as const, dueAt: TEST_START + DAY };
  const { message } = await subject.stores.messages.change(id, () => ({ set, at: TEST_START, records: [] }));
  return message!;
}

const suspecting = async (messages: readonly Message[]): Promise<OverdueSuspects> => {
  const suspects = new OverdueSuspects();
  const alive = await source.snapshot(readAliveUntil);
  for (const message of messages) suspects.add(message.id, findOverdue(message, alive));
  return suspects;
};

describe('messages whose deadline had passed', () => {
  it('are no differences when the timers were only behind with them', async () => {
    const messages = [await overdue(), await overdue()];
    const suspects = await suspecting(messages);
    for (const { id } of messages) {
      await subject.stores.messages.change(id, (message) => ({
        ...failed(message, 'x', TEST_START + DAY),
        records: [],
      }));
    }
    expect(await suspects.confirm(source, 10_000)).toEqual([]);
  });

  it('are named when nobody moves them any more', async () => {
    const { id } = await overdue();
    const found = await (await suspecting([(await subject.stores.messages.get(id))!])).confirm(source, 250);
    expect(found).toMatchObject([{ rule: 'overdue', subject: id }]);
  });
});
