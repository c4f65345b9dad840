import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventPayload } from '../../operations/webhooks/event-payload';
import { messageListRules, messageListShape } from '../../schemas/messages/list-messages';
import { givenFacts, isPlainMessage, messageRulesFor, messageShape } from '../../schemas/messages/send-message';
import { presentMessage, presentMessageItem } from '../../schemas/responses/message';
import { normalize } from '../../schemas/rules/normalize';
import { validate } from '../../schemas/rules/rules';
import { readMail } from '../../smtp/relay/mail/read-mail';
import { openEmbedded } from '../../stores/embedded/open';
import { aContact, acceptMessage, createSender } from '../support/builders';
import { frozenClock, TEST_START } from '../support/clock';

const CONTENT = { to: 'sari@contoh.test', subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: 1 };
const tagOf = (of: object): unknown => (of as { tag?: unknown }).tag;

/** Sends, lists, shows and erases a message with a tag, on the embedded engine. */
export async function tryMessageField(): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'kurir-trial-'));
  const { stores, close } = await openEmbedded({ file: join(folder, 'kurir.db'), clock: frozenClock() });
  try {
    const fields = normalize(messageShape, { ...CONTENT, tag: ' untuk Sari ' }, 'json');
    const long = { ...fields, tag: 'x'.repeat(65) };
    const checked = validate(messageRulesFor(fields), long);
    const sender = await createSender(stores, { coins: 10 });
    const workspaceId = sender.workspace.id;
    const contact = await stores.contacts.ensure(aContact(workspaceId, { email: CONTENT.to, name: 'Sari' }));
    const recipient = { contact: contact.id };
    const facts = { ...(givenFacts(fields) as object), to: contact.email, toText: contact.email };
    const message = await acceptMessage(stores, sender, { recipient, facts });
    const { id } = message;
    await acceptMessage(stores, sender);
    const query = validate(messageListRules, normalize(messageListShape, { tag: 'untuk Sari' }, 'form'));
    const filter = query.ok ? query.value : {};
    const { total, items } = await stores.messages.list(workspaceId, { ...(filter as object), offset: 0, limit: 10 });
    const event = { event: 'delivered', messageId: id, occurredAt: TEST_START, link: null, reason: null } as const;
    const mail = await readMail(Buffer.from('From: toko@contoh.test\r\nX-Kurir-Tag: nota\r\n\r\nHalo'));
    await stores.contacts.delete(workspaceId, contact.id);
    return {
      faults: checked.ok ? null : checked.errors,
      isPlain: [isPlainMessage(fields), isPlainMessage(long)],
      listed: [total, items.map((one) => tagOf(presentMessageItem(one)))],
      shown: tagOf(presentMessage(message)),
      webhook: tagOf(await eventPayload(stores, event, message)),
      mail: tagOf(mail),
      erased: tagOf((await stores.messages.get(id))!),
    };
  } finally {
    await close();
    await rm(folder, { recursive: true });
  }
}
