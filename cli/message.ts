import type { Command } from 'commander';
import { paceOf } from '../app/operator/pace';
import type { Attempt, Message } from '../domain/messages/message';
import { waitOf, type Wait } from '../domain/queue/waiting';
import { presentDelivery } from '../presenters/delivery';
import type { Commands, Session, VerbSpec } from './support/command';
import { CommandError } from './support/errors';
import { messageId } from './support/input';
import { deliveryTable } from './support/delivery-table';
import { listVerb, present } from './support/message-list';
import { fields, table } from './support/table';
import { jsonTime, showDistance, showTime } from './support/times';

/** What the recipient did; clicks with their destination. */
async function signalsOf(stores: Session['stores'], id: string) {
  const [signals, links] = await Promise.all([stores.signals.ofMessage(id), stores.messages.links(id)]);
  return signals.map(({ link, ...signal }) => ({ ...signal, url: link === null ? null : (links[link] ?? null) }));
}

/** Reads everything the stores know about a message. */
async function read({ stores, clock }: Session, id: string) {
  const message = await stores.messages.get(id);
  if (!message) {
    throw new CommandError(`<id>: no message ${id} found.`, 'kurir message list <workspace> lists them.', '<id>');
  }
  const now = clock.now();
  const pace = message.status === 'queued' ? await paceOf(stores, message.workspaceId, now) : null;
  return {
    message,
    now,
    wait: waitOf(message, now, pace),
    domain: await stores.domains.get(message.domainId),
    history: await stores.messages.history(id),
    attempts: await stores.messages.attempts(id),
    coins: await stores.coins.ofMessage(message.workspaceId, id),
    signals: await signalsOf(stores, id),
    deliveries: await stores.deliveries.ofMessage(id),
  };
}
type Read = Awaited<ReturnType<typeof read>>;

/** As callers and operators know it, whatever lane the message waits in. */
const categoryOf = ({ category }: Message): string => category ?? 'marketing';

const presentAttempt = (attempt: Attempt) => ({
  n: attempt.n,
  claimed_at: jsonTime(attempt.claimedAt),
  fenced_at: jsonTime(attempt.fencedAt),
  finished_at: jsonTime(attempt.finishedAt),
  outcome: attempt.outcome,
  reply: attempt.reply,
});

const presentWait = (wait: Wait | null) =>
  wait && { for: wait.for, owner: wait.owner, until: jsonTime(wait.until), text: wait.text };

const presentAll = ({ message, wait, domain, history, attempts, coins, signals, deliveries }: Read) => ({
  ...present(message),
  from_email: message.fromEmail,
  from_name: message.fromName,
  reply_to: message.replyTo,
  domain: domain?.domain ?? null,
  category: categoryOf(message),
  campaign_id: message.campaignId,
  journey_id: message.journeyId,
  step: message.journeyStep,
  metadata: message.metadata,
  attachments_until: jsonTime(message.attachmentsUntil),
  attachments_left_out: message.attachmentsLeftOut,
  send_at: jsonTime(message.sendAt),
  complained_at: jsonTime(message.complainedAt),
  waits_for: presentWait(wait),
  history: history.map(({ status, at }) => ({ status, at: jsonTime(at) })),
  attempts: attempts.map(presentAttempt),
  coins: coins.map(({ id, kind, amount, at }) => ({ id, kind, coins: amount, at: jsonTime(at) })),
  signals: signals.map(({ kind, at, url, machine }) => ({ kind, at: jsonTime(at), url, machine })),
  webhooks: deliveries.map((delivery) => ({ webhook_id: delivery.webhookId, ...presentDelivery(delivery) })),
});

const waitText = (wait: Wait | null, now: number): string | null => {
  if (!wait) return null;
  if (wait.until === null) return `${wait.text} (${wait.owner})`;
  return `${wait.text} (${wait.owner}), until ${showTime(wait.until)}, ${showDistance(wait.until, now)}`;
};

const journeyText = ({ journeyId, journeyStep }: Message): string => `${journeyId}, step ${journeyStep}`;

const attachmentsText = (count: number): string => `${count} ${count === 1 ? 'attachment' : 'attachments'}`;

function showHead({ paint }: Session, { message, wait, domain, now }: Read): string {
  return fields(paint, [
    ['message', message.id],
    ['workspace', message.workspaceId],
    ['to', message.to ?? '(contact deleted)'],
    ['subject', message.subject],
    ['from', `${message.fromName} <${message.fromEmail}>`],
    ['domain', domain?.domain ?? String(message.domainId)],
    ['by', `${message.channel}, ${categoryOf(message)}`],
    ...(message.journeyId === null ? [] : [['journey', journeyText(message)] as const]),
    ['metadata', message.metadata && JSON.stringify(message.metadata)],
    ['status', message.status, 'status'],
    ['reason', message.failedReason],
    ['waits for', waitText(wait, now)],
    ['accepted', showTime(message.createdAt)],
    ['dispatched', showTime(message.dispatchedAt)],
    ...(message.sendAt === null ? [] : [['send at', showTime(message.sendAt)] as const]),
    ...(message.attachmentsUntil === null ? [] : [['attachments until', showTime(message.attachmentsUntil)] as const]),
    ...(message.attachmentsLeftOut === 0 ? [] : [['left out', attachmentsText(message.attachmentsLeftOut)] as const]),
    ...(message.complainedAt === null ? [] : [['complaint', showTime(message.complainedAt)] as const]),
  ]);
}

function showTables({ paint }: Session, { history, attempts, coins, signals, deliveries }: Read): string {
  const title = (text: string): string => `\n${paint('strong', text)}\n`;
  return [
    title('History'),
    table(
      paint,
      [{ title: 'time' }, { title: 'status', status: true }],
      history.map(({ at, status }) => [showTime(at), status]),
      'none',
    ),
    title('Attempts'),
    table(
      paint,
      [{ title: 'n' }, { title: 'claimed' }, { title: 'ended' }, { title: 'outcome' }, { title: 'reply', max: 200 }],
      attempts.map((a) => [a.n, showTime(a.claimedAt), showTime(a.finishedAt), a.outcome, a.reply]),
      'none yet',
    ),
    title('Coins'),
    table(
      paint,
      [{ title: 'time' }, { title: 'kind' }, { title: 'coins' }, { title: 'id', max: 90 }],
      coins.map(({ at, kind, amount, id }) => [showTime(at), kind, amount, id]),
      'none',
    ),
    ...(signals.length === 0
      ? []
      : [
          title('Recipient'),
          table(
            paint,
            [{ title: 'time' }, { title: 'did' }, { title: 'machine' }, { title: 'link', max: 120 }],
            signals.map(({ at, kind, url, machine }) => [showTime(at), kind, machine, url]),
            'none',
          ),
        ]),
    ...(deliveries.length === 0 ? [] : [title('Webhooks'), deliveryTable(paint, deliveries)]),
  ].join('');
}

const show: VerbSpec = {
  name: 'show',
  summary: 'one message: status, history, attempts with SMTP replies, coins, webhooks, and what it waits for',
  args: [['<id>', 'message id']],
  examples: [['message show 019bb3a0-6c1e-7d5f-8a55-2f8f3b6f6d10', 'everything known about it']],
  run: (input) => {
    const id = input.arg('id', messageId);
    return async (session) => {
      const known = await read(session, id);
      return { text: showHead(session, known) + showTables(session, known), json: presentAll(known) };
    };
  },
};

/** The `kurir message` commands. */
export const messageCommand = (commands: Commands): Command =>
  commands.group('message', 'messages: their state and what they wait for', [show, listVerb]);
