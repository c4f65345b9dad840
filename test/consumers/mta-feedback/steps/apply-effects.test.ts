import { describe, expect, it } from '@jest/globals';
import { applyEffects } from '../../../../consumers/mta-feedback/steps/apply-effects';
import type { FeedbackEffects } from '../../../../domain/messages/apply-feedback';
import type { Message } from '../../../../domain/messages/message';
import { acceptAndClaim } from '../../../contract/claiming';
import { openTemporary } from '../../../contract/embedded/open';
import { sharedEngine } from '../../../contract/harness';
import { createSender, messageId, type Sender } from '../../../support/builders';
import { TEST_START } from '../../../support/clock';
import { passFenceOf } from '../handed-over';

const subject = sharedEngine(openTemporary);
const BOUNCE: FeedbackEffects = { suppress: 'hard_bounce', contact: 'bounced' };
const COMPLAINT: FeedbackEffects = { suppress: 'complaint', contact: 'complained' };

const apply = (message: Message, effects: FeedbackEffects, at = TEST_START): Promise<void> =>
  applyEffects(subject.stores)(message, effects, at);
const entriesOf = ({ workspace }: Sender) => subject.stores.suppressions.list(workspace.id, 10);
const statusOf = async ({ workspace, contact }: Sender) =>
  (await subject.stores.contacts.get(workspace.id, contact.id))?.status;
async function senderAndMessage(): Promise<[Sender, Message]> {
  const sender = await createSender(subject.stores);
  return [sender, await acceptAndClaim(subject, sender)];
}

describe('the effects of a report', () => {
  it.each([
    [BOUNCE, 'hard_bounce', 'bounced'],
    [COMPLAINT, 'complaint', 'complained'],
  ])(
    '%j suppress the address in its workspace, and raise the status of the contact',
    async (effects, reason, status) => {
      const [sender, message] = await senderAndMessage();
      await apply(message, effects, TEST_START + 5);
      expect(await entriesOf(sender)).toEqual([
        {
          workspaceId: sender.workspace.id,
          addressHash: sender.contact.emailHash,
          reason,
          messageId: message.id,
          createdAt: TEST_START + 5,
        },
      ]);
      expect(await statusOf(sender)).toBe(status);
      const other = await createSender(subject.stores);
      expect(await subject.stores.suppressions.reason(other.workspace.id, sender.contact.emailHash)).toBeNull();
    },
  );

  it('are the same however often they are applied', async () => {
    const [sender, message] = await senderAndMessage();
    for (const at of [TEST_START, TEST_START + 1]) await apply(message, BOUNCE, at);
    expect(await entriesOf(sender)).toHaveLength(1);
    expect(await statusOf(sender)).toBe('bounced');
  });

  it('never lower the status: a bounce after a complaint', async () => {
    const [sender, message] = await senderAndMessage();
    await apply(message, COMPLAINT);
    await apply(message, BOUNCE);
    expect(await statusOf(sender)).toBe('complained');
    expect((await entriesOf(sender)).map(({ reason }) => reason).sort()).toEqual(['complaint', 'hard_bounce']);
  });

  it('suppress the address of a contact that was deleted', async () => {
    const [sender, message] = await senderAndMessage();
    await passFenceOf(subject, message);
    await subject.stores.contacts.delete(sender.workspace.id, sender.contact.id);
    await apply(message, BOUNCE);
    expect(await subject.stores.suppressions.reason(sender.workspace.id, sender.contact.emailHash)).toBe('hard_bounce');
    expect(await statusOf(sender)).toBeUndefined();
  });

  it('suppress nothing where the address is not known any more', async () => {
    const [sender, message] = await senderAndMessage();
    await apply({ ...message, id: messageId() }, BOUNCE);
    expect(await entriesOf(sender)).toEqual([]);
    expect(await statusOf(sender)).toBe('bounced');
  });
});
