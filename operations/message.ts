import { paceOf } from '../app/installation/pace';
import { ENGAGEMENTS, SENT } from '../domain/messages/message-hour';
import { CHANNELS, MESSAGE_STATUSES, type Message } from '../domain/messages/message';
import { waitOf } from '../domain/queue/waiting';
import { defined } from '../lib/defined';
import { readRecipient, type RecipientRef } from '../schemas/messages/list-messages';
import { presentDelivery } from '../presenters/delivery';
import { findMessage } from './message-find';
import { mail } from './message-mail';
import { stats } from './message-stats';
import { messageText, type KnownMessage } from './message-view';
import {
  facts,
  jsonTime,
  limit,
  moment,
  oneOf,
  type Operation,
  operation,
  option,
  type Read,
  type Session,
  status,
  upTo,
  whole,
  workspace,
} from './spec';

/** A message in a list, and the beginning of one that is shown. */
const present = (of: Message) => ({
  message_id: of.id,
  ...facts(of, 'workspaceId', 'to', 'subject', 'channel', 'status', 'failedReason', 'createdAt', 'dispatchedAt'),
});

/** What the recipient did; clicks with their destination. */
async function signalsOf(stores: Session['stores'], id: string) {
  const [signals, links] = await Promise.all([stores.signals.ofMessage(id), stores.messages.links(id)]);
  return signals.map(({ link, ...signal }) => ({ ...signal, url: link === null ? null : (links[link] ?? null) }));
}

/** What endpoints answered is for developers, who see to webhooks: it may hold what a viewer must not know. */
async function deliveriesOf({ stores, access }: Session, { id, workspaceId }: Message) {
  const deliveries = await stores.deliveries.ofMessage(id);
  if (!access || access.may('developer', workspaceId)) return deliveries;
  return deliveries.map((of) => ({ ...of, attempts: of.attempts.map((one) => ({ ...one, answer: null })) }));
}

/** Reads everything the stores know about a message. */
async function read(session: Session, message: Message): Promise<KnownMessage> {
  const { stores, clock } = session;
  const { id } = message;
  const now = clock.now();
  const pace = message.status === 'queued' ? await paceOf(stores, message.workspaceId, now) : null;
  return {
    message,
    now,
    wait: waitOf(message, now, pace),
    domain: (await stores.domains.get(message.domainId))?.domain ?? null,
    history: await stores.messages.history(id),
    attempts: await stores.messages.attempts(id),
    coins: await stores.coins.ofMessage(message.workspaceId, id),
    signals: await signalsOf(stores, id),
    deliveries: await deliveriesOf(session, message),
  };
}

const presentAll = (known: KnownMessage) => {
  const { message, wait, domain, history, attempts, coins, signals, deliveries } = known;
  return {
    ...present(message),
    ...facts(message, 'fromEmail', 'fromName', 'replyTo'),
    domain,
    category: message.category ?? 'marketing',
    ...facts(message, 'campaignId', 'journeyId'),
    step: message.journeyStep,
    ...facts(message, 'metadata', 'attachmentsUntil', 'attachmentsLeftOut', 'sendAt', 'complainedAt'),
    waits_for: wait && facts(wait, 'for', 'owner', 'until', 'text'),
    history: history.map((step) => facts(step, 'status', 'at')),
    attempts: attempts.map((of) => facts(of, 'n', 'claimedAt', 'fencedAt', 'finishedAt', 'outcome', 'reply')),
    coins: coins.map(({ id, kind, amount, at }) => ({ id, kind, coins: amount, at: jsonTime(at) })),
    signals: signals.map((signal) => facts(signal, 'kind', 'at', 'url', 'machine')),
    webhooks: deliveries.map((delivery) => ({ webhook_id: delivery.webhookId, ...presentDelivery(delivery) })),
  };
};

const show = operation('message.show', 'viewer', {
  summary: 'one message: status, history, attempts with SMTP replies, coins, webhooks, and what it waits for',
  arguments: { id: findMessage },
  examples: [['message show 019bb3a0-6c1e-7d5f-8a55-2f8f3b6f6d10', 'everything known about it']],
  handler: ({ id: of }, session) => read(session, of),
  json: presentAll,
  text: messageText,
});

const recipient: Read<RecipientRef> = (raw) => {
  const found = readRecipient(raw.trim());
  if (found === null) throw new RangeError('must be an email address or the id of a contact');
  return found;
};

/** The id of a contact is looked for as it is: the contact may be deleted. */
async function contactOf({ stores }: Session, workspaceId: number, to: RecipientRef): Promise<number | null> {
  if ('contactId' in to) return to.contactId;
  return (await stores.contacts.find(workspaceId, to.address))?.id ?? null;
}

const list = operation('message.list', 'viewer', {
  summary: 'the messages of a workspace, newest first',
  arguments: { workspace: { ...workspace, about: 'id or name; may be left out where there is only one' } },
  options: {
    to: option('<recipient>', 'an address, or the id of a contact, which may be deleted', recipient),
    since: option('<time>', 'accepted at this time or later; a date alone is its midnight, UTC', moment),
    until: option('<time>', 'accepted at this time or earlier', moment),
    channel: option('<channel>', `${CHANNELS.join(', ')}; app: campaigns and journeys`, oneOf(...CHANNELS)),
    status: option(
      '<status>',
      `${MESSAGE_STATUSES.join(', ')}; sent: the server took it`,
      oneOf(...MESSAGE_STATUSES, SENT),
    ),
    engagement: option(
      '<what>',
      `${ENGAGEMENTS.join(', ')}; opened and clicked are those of people`,
      oneOf(...ENGAGEMENTS),
    ),
    limit: limit('messages', 20),
    page: option('<n>', 'page number, from 1; default: 1', whole(1, 1_000_000), 1),
  },
  examples: [
    ['message list Demo', 'the last 20'],
    ['message list --to siti@example.com --since 2026-09-01', 'what one person got since a day'],
    ['message list Demo --status failed --limit 100', 'the last 100 that failed'],
  ],
  handler: async ({ workspace: { id }, to, since, until, channel, status, engagement, limit, page }, session) => {
    const contactId = to && (await contactOf(session, id, to));
    const filter = defined({ since, until, channel, status, engagement, contactId: contactId ?? undefined });
    const cut = { offset: (page - 1) * limit, limit };
    const { total, items } =
      contactId === null ? { total: 0, items: [] } : await session.stores.messages.list(id, { ...filter, ...cut });
    return { data: items.map(present), total, page, limit };
  },
  columns: {
    accepted: 'created_at',
    id: 'message_id',
    status: status('status'),
    to: upTo(40, 'to'),
    subject: upTo(40, 'subject'),
    reason: upTo(60, 'failed_reason'),
  },
  none: ({ workspace: { name }, to, since, until, channel, status, engagement }) => {
    const isSearched = [to, since, until, channel, engagement].some((given) => given !== undefined);
    const which = isSearched ? 'such ' : status ? `${status} ` : '';
    return `No ${which}messages in ${name}${which === '' ? ' yet' : ''}.`;
  },
  text: ({ data, total, page, limit }) => {
    const from = page === 1 ? '' : `, from ${(page - 1) * limit + 1}`;
    return data.length > 0 ? `${data.length} of ${total}${from}\n` : '';
  },
});

export const MESSAGE_OPERATIONS: readonly Operation[] = [show, list, stats, mail];
