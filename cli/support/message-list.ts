import { CHANNELS, MESSAGE_STATUSES, type Message } from '../../domain/messages/message';
import { readRecipient, type RecipientRef } from '../../schemas/messages/list-messages';
import type { MessagePage } from '../../stores/ports/message-store';
import type { Session, VerbSpec } from './command';
import { moment, oneOf, reference, whole, type Input, type Read } from './input';
import { findWorkspace } from './lookups';
import { table } from './table';
import { jsonTime, showTime } from './times';

/** A message in a list, and the beginning of one that is shown. */
export const present = (message: Message) => ({
  message_id: message.id,
  workspace_id: message.workspaceId,
  to: message.to,
  subject: message.subject,
  channel: message.channel,
  status: message.status,
  failed_reason: message.failedReason,
  created_at: jsonTime(message.createdAt),
  dispatched_at: jsonTime(message.dispatchedAt),
});

const recipient: Read<RecipientRef> = (raw) => {
  const found = readRecipient(raw.trim());
  if (found === null) throw new RangeError('must be an email address or the id of a contact');
  return found;
};

function readFilter(input: Input) {
  const since = input.option('since', moment);
  const until = input.option('until', moment);
  const channel = input.option('channel', oneOf(...CHANNELS));
  const status = input.option('status', oneOf(...MESSAGE_STATUSES));
  return {
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(channel !== undefined && { channel }),
    ...(status !== undefined && { status }),
  };
}

/** The id of a contact is looked for as it is: the contact may be deleted. */
async function contactOf({ stores }: Session, workspaceId: number, to: RecipientRef): Promise<number | null> {
  if ('contactId' in to) return to.contactId;
  return (await stores.contacts.find(workspaceId, to.address))?.id ?? null;
}

const COLUMNS = [
  { title: 'accepted' },
  { title: 'id' },
  { title: 'status', status: true },
  { title: 'to', max: 40 },
  { title: 'subject', max: 40 },
  { title: 'reason', max: 60 },
] as const;

/** `kurir message list`. */
export const listVerb: VerbSpec = {
  name: 'list',
  summary: 'the messages of a workspace, newest first',
  args: [['<workspace>', 'id or name; may be left out where there is only one']],
  options: [
    ['--to <recipient>', 'an address, or the id of a contact, which may be deleted'],
    ['--since <time>', 'accepted at this time or later; a date alone is its midnight, UTC'],
    ['--until <time>', 'accepted at this time or earlier'],
    ['--channel <channel>', `${CHANNELS.join(', ')}; app: campaigns and journeys`],
    ['--status <status>', MESSAGE_STATUSES.join(', ')],
    ['--limit <n>', 'messages at most, 1 to 1000; default: 20'],
    ['--page <n>', 'page number, from 1; default: 1'],
  ],
  examples: [
    ['message list Demo', 'the last 20'],
    ['message list --to siti@example.com --since 2026-09-01', 'what one person got since a day'],
    ['message list Demo --status failed --limit 100', 'the last 100 that failed'],
  ],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const to = input.option('to', recipient);
    const filter = readFilter(input);
    const limit = input.option('limit', whole(1, 1_000)) ?? 20;
    const page = input.option('page', whole(1, 1_000_000)) ?? 1;
    return async (session) => {
      const { stores, paint } = session;
      const workspace = await findWorkspace(stores, ref);
      const offset = (page - 1) * limit;
      const contactId = to && (await contactOf(session, workspace.id, to));
      const cut = { offset, limit, ...(typeof contactId === 'number' && { contactId }) };
      const none: MessagePage = { total: 0, items: [] };
      const { total, items } =
        contactId === null ? none : await stores.messages.list(workspace.id, { ...filter, ...cut });
      const { status, ...others } = filter;
      const searched = to !== undefined || Object.keys(others).length > 0;
      const which = searched ? 'such ' : status ? `${status} ` : '';
      const end = `${items.length} of ${total}${offset === 0 ? '' : `, from ${offset + 1}`}\n`;
      return {
        text:
          table(
            paint,
            [...COLUMNS],
            items.map((m) => [showTime(m.createdAt), m.id, m.status, m.to, m.subject, m.failedReason]),
            `No ${which}messages in ${workspace.name}${which === '' ? ' yet' : ''}.`,
          ) + (items.length > 0 ? end : ''),
        json: { data: items.map(present), total, page, limit },
      };
    };
  },
};
