import { noun } from '../../schemas/rules/nouns';
import { ValueError } from '../../lib/reason';
import { ENGAGEMENTS, SENT } from '../../domain/messages/message-hour';
import { CHANNELS, MESSAGE_STATUSES, type ListedFacts, type Message } from '../../domain/messages/message';
import type { Campaign } from '../../domain/campaigns/campaign';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { defined } from '../../lib/defined';
import { readRecipient, type RecipientRef } from '../../schemas/messages/list-messages';
import { canonicalAddress, isEmailAddress } from '../../schemas/rules/email-address';
import type { MessagePoint, MessageSearch } from '../../stores/ports/message-finder';
import {
  campaign,
  type Columns,
  facts,
  jsonTime,
  limit,
  moment,
  neededFound,
  oneOf,
  operation,
  option,
  optional,
  ownDomain,
  type Read,
  type Session,
  status,
  text,
  upTo,
  UsageError,
  uuid,
  type View,
  whole,
  workspace,
  why,
  rule,
  unknownId,
} from '../definition';

/** A message in a list, and the beginning of one that is shown. */
export const presentListed = (of: Message) => ({
  message_id: of.id,
  ...facts(of, 'workspaceId', 'to', 'subject', 'channel', 'status', 'failedReason', 'createdAt', 'dispatchedAt'),
});

type RecipientFilter = RecipientRef | { domain: string };

const recipient: Read<RecipientFilter> = (raw) => {
  const written = raw.trim();
  const found = readRecipient(written);
  if (found !== null) return found;
  // The domain of an address is read as that of a whole one.
  const whole = `x${written}`;
  if (written.startsWith('@') && isEmailAddress(whole)) return { domain: canonicalAddress(whole).slice(2) };
  throw new ValueError(rule('recipient'));
};

const keyAndValue: Read<{ key: string; value: string }> = (raw) => {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(raw.trim()) ?? [];
  if (key === undefined || value === undefined) throw new ValueError(rule('metadata'));
  return { key: key.trim(), value: value.trim() };
};

/** What an input looks for. */
interface Wanted extends Omit<MessageSearch, 'limit' | 'after' | 'contactId' | 'campaign' | 'domainId'> {
  to?: RecipientFilter | undefined;
  domain?: SendingDomain | undefined;
  campaign?: Campaign | undefined;
}

type LookedAt = 'subject' | 'metadata' | 'domain' | 'campaign' | 'to';

/** True for what each message is looked at for: the list has no total then, and goes on behind a message. */
const isLookedAt = ({ to, ...given }: { [Name in LookedAt]?: unknown }): boolean =>
  [given.subject, given.metadata, given.domain, given.campaign].some((one) => one !== undefined) ||
  (typeof to === 'object' && to !== null && 'domain' in to);

/** Null: nothing can fit. The id of a contact is looked for as it is: the contact may be deleted. */
async function filterOf(
  { stores }: Session,
  workspaceId: number,
  { to, domain, campaign: of, ...rest }: Wanted,
): Promise<Omit<MessageSearch, 'limit' | 'after'> | null> {
  const isTo = to !== undefined && 'address' in to;
  const contact = isTo ? await stores.contacts.find(workspaceId, to.address) : null;
  if ((isTo && !contact) || (of && of.sentAt === null)) return null;
  return defined({
    ...rest,
    contactId: contact?.id ?? (to && 'contactId' in to ? to.contactId : undefined),
    toDomain: to && 'domain' in to ? to.domain : undefined,
    domainId: domain?.id,
    campaign: of && { id: of.id, sentAt: of.sentAt! },
  });
}

async function pointOf({ stores }: Session, workspaceId: number, id: string): Promise<MessagePoint> {
  const message = await stores.messages.get(id);
  if (message?.workspaceId === workspaceId) return { id, at: message.createdAt };
  throw unknownId({ label: '--after', what: noun('message'), id }, 'Use next_after of the previous page.');
}

/** Messages that a list counts one by one, and that have numbered pages; nobody waits for a larger number. */
const COUNTED = 50_000;
const PAGE = { label: '--page' };

/** What a list answers: with pages and their total, or with what was looked at and where it goes on. */
type Listed = { data: ReturnType<typeof presentListed>[]; limit: number } & (
  | { total: number; total_is_exact: boolean; page: number; looked_back_to?: undefined }
  | { next_after: string | null; looked_back_to: string | null }
);

interface Narrowed {
  workspace: { name: string };
  status?: string | undefined;
  limit: unknown;
  page: unknown;
}

const COLUMNS: Columns<Listed['data'][number]> = {
  accepted: 'created_at',
  id: 'message_id',
  status: status('status'),
  to: upTo(40, 'to'),
  subject: upTo(40, 'subject'),
  reason: upTo(60, 'failed_reason'),
};

/** Said only when all messages were looked at. */
function noneText({ workspace: of, limit: _limit, page: _page, status: wanted, ...searched }: Narrowed): string {
  const isSearched = Object.values(searched).some((given) => given !== undefined);
  const which = isSearched ? 'such ' : wanted ? `${wanted} ` : '';
  return `No ${which}messages in ${of.name}${which === '' ? ' yet' : ''}.`;
}

/** How many there are; of a search, how far back it looked, and how to look further. */
function extentText(listed: Listed, view: View): string {
  const { data, limit: most } = listed;
  if (listed.looked_back_to === undefined) {
    const from = listed.page === 1 ? '' : `, from ${(listed.page - 1) * most + 1}`;
    const all = listed.total_is_exact ? listed.total : `more than ${listed.total}`;
    return data.length > 0 ? `${data.length} of ${all}${from}\n` : '';
  }
  const { next_after: next, looked_back_to: back } = listed;
  if (next === null) return data.length > 0 ? `${data.length}, no more results\n` : '';
  if (data.length === most) return `More: --after ${next}\n`;
  const found = data.length === 0 ? 'none' : data.length;
  return `Found ${found} back to ${view.time(back)}; continue the search with --after ${next}\n`;
}

/** The facts that a list can be narrowed to. */
const LISTED_OPTIONS = {
  channel: option('<channel>', `${CHANNELS.join(', ')}; app: campaigns and journeys`, oneOf(...CHANNELS)),
} satisfies Record<keyof ListedFacts, unknown>;

/** `kurir message list`. */
export const list = operation('message.list', 'viewer', {
  summary: 'list messages, newest first',
  arguments: { workspace: { ...workspace, about: 'id or name; optional if there is only one' } },
  options: {
    to: option(
      '<recipient>',
      'recipient: an email address, @ and a domain, or the id of a contact, even a deleted one',
      recipient,
    ),
    subject: option('<text>', 'part of the subject, upper or lower case', text(255)),
    metadata: option('<key=value>', 'a metadata value', keyAndValue),
    domain: optional(neededFound('<domain>', 'sending domain, by id or name', ownDomain)),
    campaign: optional(neededFound('<campaign>', 'campaign, by id; test emails are left out', campaign)),
    since: option('<time>', 'accepted at or after this time; a date means midnight UTC', moment),
    until: option('<time>', 'accepted at or before this time', moment),
    ...LISTED_OPTIONS,
    status: option(
      '<status>',
      `${MESSAGE_STATUSES.join(', ')}; sent: the sending server accepted it`,
      oneOf(...MESSAGE_STATUSES, SENT),
    ),
    engagement: option('<what>', `${ENGAGEMENTS.join(', ')}; without opens and clicks by bots`, oneOf(...ENGAGEMENTS)),
    limit: limit('messages', 20),
    page: option('<n>', 'page number, from 1; default: 1', whole(1, 1_000_000), 1),
    after: option('<id>', 'only messages before this one: next_after of the previous page', uuid(rule('message_id'))),
  },
  examples: [
    ['message list Demo', 'the last 20'],
    ['message list --to siti@example.com --since 2026-09-01', 'messages to one recipient since a given day'],
    ['message list Demo --status failed --limit 100', 'the last 100 that failed'],
    ['message list Demo --subject nota --metadata order_id=1042', 'messages about one order'],
  ],
  notes:
    'A search by subject, metadata, domain or campaign stops after a moment and says how far back it got; continue it with --after.',
  check: ({ page, limit: most, after, subject, metadata, domain, campaign: of, to }) => {
    if (page !== 1 && (after !== undefined || isLookedAt({ subject, metadata, domain, campaign: of, to })))
      throw new UsageError(why('no_pages', PAGE), 'Use --after instead.');
    if ((page - 1) * most >= COUNTED)
      throw new UsageError(why('counted', { ...PAGE, most: COUNTED }), 'Use --after instead.');
  },
  handler: async ({ workspace: { id }, limit: most, page, after, ...wanted }, session): Promise<Listed> => {
    const { messages, messageFinder } = session.stores;
    const filter = await filterOf(session, id, wanted as Wanted);
    if (after !== undefined || isLookedAt(wanted)) {
      const point = after === undefined ? {} : { after: await pointOf(session, id, after) };
      const found = filter && (await messageFinder.find(id, { ...filter, ...point, limit: most }));
      const { items, next } = found ?? { items: [], next: null };
      const [nextAfter, back] = [next?.id ?? null, jsonTime(next?.at ?? null)];
      return { data: items.map(presentListed), limit: most, next_after: nextAfter, looked_back_to: back };
    }
    const cut = { offset: (page - 1) * most, limit: most, countUpTo: COUNTED };
    const found = filter && (await messages.list(id, { ...filter, ...cut }));
    const { total, isMore = false, items } = found ?? { total: 0, items: [] };
    return { data: items.map(presentListed), total, total_is_exact: !isMore, page, limit: most };
  },
  json: (listed) => listed,
  text: (listed, view, input) => {
    const isOver = listed.looked_back_to === undefined || listed.next_after === null;
    if (listed.data.length === 0) return isOver ? `${noneText(input)}\n` : extentText(listed, view);
    return view.table(listed.data, COLUMNS) + extentText(listed, view);
  },
});
