import { describe, expect, it } from '@jest/globals';
import { feedbackPipeline } from '../../../../consumers/mta-feedback/pipeline';
import { confirmMail } from '../../../../consumers/opt-ins/confirm-mail';
import { passFence, sent } from '../../../../domain/messages/lifecycle';
import { toChange } from '../../../../consumers/outcome-change';
import { CONFIRM_MAIL } from '../../../../domain/contacts/opt-in';
import type { Message } from '../../../../domain/messages/message';
import { DAY } from '../../../../lib/clock';
import { claim } from '../../../contract/claiming';
import { openTemporary } from '../../../contract/embedded/open';
import { sharedEngine } from '../../../contract/harness';
import { inTurn, present } from '../../../contract/helpers';
import { aContact, createSender, messageId, TEST_KEYRING } from '../../../support/builders';
import { anAudience } from '../../../support/marketing';

const subject = sharedEngine(openTemporary);
const warnings: unknown[] = [];
const logger = { debug: () => {}, info: () => {}, error: () => {}, warn: (facts: unknown) => warnings.push(facts) };

/** Hands over the only queued mail of the workspace. */
async function handOver(sender: Awaited<ReturnType<typeof createSender>>): Promise<Message> {
  const { stores, clock } = subject;
  const [claimed] = (await claim(subject, sender, { now: clock.now() })).claimed;
  const { id, attempt } = present(claimed);
  for (const rule of [
    (current: Message) => passFence(current, attempt, 'fence', clock.now()),
    (current: Message) => sent(current, { attempt, fence: 'fence' }, '250 ok', clock.now(), 4 * DAY),
  ]) {
    await stores.messages.change(id, (current) => {
      const outcome = rule(current);
      return outcome && toChange(current, outcome);
    });
  }
  return present(await stores.messages.get(id));
}

describe('the confirmation mails of a form', () => {
  it('that bounce hard five times pause it, and the log says so once', async () => {
    const { stores, log, clock } = subject;
    const sender = await createSender(stores);
    const workspaceId = sender.workspace.id;
    const audience = await stores.audiences.create(anAudience(workspaceId, { optInMode: 'double' }));
    const publicUrl = () => 'https://mail.kurir.test';
    const mail = confirmMail({
      stores,
      log,
      keyring: TEST_KEYRING,
      clock,
      newId: () => messageId(),
      publicUrl,
      logger,
    });
    const report = feedbackPipeline({ stores, evidenceWait: 4 * DAY, flagsAtDelivery: false, logger });
    const bounce = async () => {
      const { email } = aContact(workspaceId);
      const contact = { ...aContact(workspaceId), email, emailHash: TEST_KEYRING.hashAddress(email), at: clock.now() };
      const to = { workspaceId, audienceId: audience.id, contact, language: 'en', at: clock.now() } as const;
      await stores.optIns.subscribe(to);
      const { id } = present(await stores.contacts.find(workspaceId, email));
      const task = { kind: CONFIRM_MAIL, id: `${audience.id}:${id}:1`, workspaceId, lane: '', dueAt: 0, attempt: 1 };
      const outcome = await mail.each({ ...task, token: '', payload: { language: 'en' } });
      if (outcome.kind !== 'done') return outcome.kind;
      const { id: messageId } = await handOver(sender);
      const hard = { kind: 'bounced', trusted: true, text: '550 5.1.1', class: 'address_unknown', hard: true } as const;
      for (let n = 0; n < 2; n += 1) await report({ messageId, feedback: { ...hard, at: clock.now() } });
      return 'bounced';
    };
    expect(await inTurn(6, bounce)).toEqual([...Array<string>(5).fill('bounced'), 'again']);
    expect(warnings).toEqual([{ workspaceId, audience: audience.id }]);
  });
});
