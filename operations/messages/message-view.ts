import type { LedgerRow } from '../../stores/ports/coin-ledger';
import { RETURNED_FACTS, type Attempt, type Message } from '../../domain/messages/message';
import { snakeCase } from '../../lib/snake-case';
import type { Wait } from '../../domain/queue/waiting';
import type { WebhookDelivery } from '../../domain/webhooks/webhook-delivery';
import { DELIVERY_COLUMNS } from '../webhooks/delivery-columns';
import { type Columns, showDistance, status, upTo, type View } from '../definition';

/** Everything the stores know about a message. */
export interface KnownMessage {
  message: Message;
  now: number;
  wait: Wait | null;
  domain: string | null;
  history: readonly { status: string; at: number }[];
  attempts: readonly Attempt[];
  coins: readonly LedgerRow[];
  signals: readonly { kind: string; at: number; url: string | null; machine: string | null }[];
  deliveries: readonly WebhookDelivery[];
}

function waitText({ wait, now }: KnownMessage, view: View): string | null {
  if (!wait) return null;
  if (wait.until === null) return `${wait.text} (${wait.owner})`;
  return `${wait.text} (${wait.owner}), until ${view.time(wait.until)}, ${showDistance(wait.until, now)}`;
}

/** The fields that only some messages have. */
function more(message: Message): Columns<Message> {
  const { sendAt, attachmentsUntil, attachmentsLeftOut: left, attachmentCount, complainedAt } = message;
  return {
    ...(sendAt !== null && { 'send at': 'sendAt' }),
    ...(attachmentCount && { attachments: 'attachmentCount' }),
    ...(attachmentsUntil !== null && { 'attachments until': 'attachmentsUntil' }),
    ...(left !== 0 && { 'left out': () => `${left} ${left === 1 ? 'attachment' : 'attachments'}` }),
    ...(complainedAt !== null && { complaint: 'complainedAt' }),
  };
}

/** What is no text already, as JSON. */
const shortText = (value: unknown): string | null =>
  typeof value === 'string' || value === null ? value : JSON.stringify(value);

function headText(known: KnownMessage, view: View): string {
  const { message } = known;
  return view.details(message, {
    message: 'id',
    workspace: 'workspaceId',
    to: ({ to }) => to ?? '(contact deleted)',
    subject: 'subject',
    from: ({ fromName, fromEmail }) => `${fromName} <${fromEmail}>`,
    domain: ({ domainId }) => known.domain ?? String(domainId),
    by: ({ channel, category }) => `${channel}, ${category ?? 'marketing'}`,
    ...(message.journeyId !== null && { journey: () => `${message.journeyId}, step ${message.journeyStep}` }),
    ...Object.fromEntries(
      RETURNED_FACTS.map((name) => [snakeCase(name).replaceAll('_', ' '), ({ [name]: value }) => shortText(value)]),
    ),
    status: status('status'),
    reason: 'failedReason',
    'waits for': () => waitText(known, view),
    accepted: 'createdAt',
    dispatched: 'dispatchedAt',
    ...more(message),
  });
}

const SIGNALS: Columns<KnownMessage['signals'][number]> = {
  time: 'at',
  did: 'kind',
  machine: 'machine',
  link: upTo(120, 'url'),
};

/** A message in all for people. */
export function messageText(known: KnownMessage, view: View): string {
  const { history, attempts, coins, signals, deliveries } = known;
  return [
    headText(known, view),
    view.title('History') + view.table(history, { time: 'at', status: status('status') }, 'none'),
    view.title('Attempts'),
    view.table(
      attempts,
      { n: 'n', claimed: 'claimedAt', ended: 'finishedAt', outcome: 'outcome', reply: upTo(200, 'reply') },
      'none yet',
    ),
    view.title('Coins') + view.table(coins, { time: 'at', kind: 'kind', coins: 'amount', id: upTo(90, 'id') }, 'none'),
    signals.length === 0 ? '' : view.title('Recipient') + view.table(signals, SIGNALS),
    deliveries.length === 0 ? '' : view.title('Webhooks') + view.table(deliveries, DELIVERY_COLUMNS),
  ].join('');
}
