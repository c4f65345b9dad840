import { paceOf } from '../installation/pace';
import { RETURNED_FACTS, type Message } from '../../domain/messages/message';
import { waitOf } from '../../domain/queue/waiting';
import { presentDelivery } from '../../schemas/responses/delivery';
import { sendMessageAgain } from './message-again';
import { findMessage } from './message-find';
import { list, presentListed } from './message-list';
import { mail } from './message-mail';
import { stats } from './message-stats';
import { messageText, type KnownMessage } from './message-view';
import { facts, jsonTime, operation, type Session } from '../definition';

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
    ...presentListed(message),
    ...facts(message, 'fromEmail', 'fromName', 'replyTo'),
    domain,
    category: message.category ?? 'marketing',
    ...facts(message, 'campaignId', 'journeyId'),
    step: message.journeyStep,
    ...facts(
      message,
      ...RETURNED_FACTS,
      'attachmentsUntil',
      'attachmentsLeftOut',
      'attachmentCount',
      'sendAt',
      'complainedAt',
    ),
    waits_for: wait && facts(wait, 'for', 'owner', 'until', 'text'),
    history: history.map((step) => facts(step, 'status', 'at')),
    attempts: attempts.map((of) => facts(of, 'n', 'claimedAt', 'fencedAt', 'finishedAt', 'outcome', 'reply')),
    coins: coins.map(({ id, kind, amount, at }) => ({ id, kind, coins: amount, at: jsonTime(at) })),
    signals: signals.map((signal) => facts(signal, 'kind', 'at', 'url', 'machine')),
    webhooks: deliveries.map((delivery) => ({ webhook_id: delivery.webhookId, ...presentDelivery(delivery) })),
  };
};

const show = operation('message.show', 'viewer', {
  summary: 'show a message: status, timeline, attempts with SMTP replies, coins, webhooks, and what it is waiting for',
  arguments: { id: findMessage },
  examples: [['message show 019bb3a0-6c1e-7d5f-8a55-2f8f3b6f6d10', 'all its details']],
  handler: ({ id: of }, session) => read(session, of),
  json: presentAll,
  text: messageText,
});

export const MESSAGE = { show, list, stats, mail, sendAgain: sendMessageAgain };
