import { BOUNCE_CLASSES, type BounceClass } from '../../domain/bounces/bounce-class';
import { DAY } from '../../lib/clock';
import {
  type Columns,
  duration,
  facts,
  flag,
  jsonTime,
  limit,
  operation,
  option,
  type Session,
  upTo,
} from '../definition';

async function unread({ limit }: { limit: number }, { stores }: Session) {
  const found = await stores.bounces.unread(limit);
  return {
    data: found.map((of) => facts(of, 'id', 'count', 'firstAt', 'lastAt', 'text')),
  };
}
type Row = Awaited<ReturnType<typeof unread>>['data'][number];

const columns: Columns<Row> = { count: 'count', first: 'first_at', last: 'last_at', text: upTo(120, 'text') };
const SHOWN = { columns, none: 'Every bounce was classified.' };
const summary = 'list reports and bounces of the last 30 days that no rule matched, without addresses; newest first';

const unknown = operation('bounce.unknown', 'operator', {
  summary,
  options: { limit: limit('texts') },
  examples: [
    ['bounce unknown', 'the newest 50'],
    ['bounce unknown --json', 'with the full text'],
  ],
  notes: 'Texts that differ only in numbers are counted as one. Add a rule for frequent ones: docs/bounces.md.',
  handler: unread,
  ...SHOWN,
});

const list = operation('bounce.list', 'operator', {
  summary,
  options: { unread: flag('bounces that no rule matched; currently required'), limit: limit('texts') },
  examples: [
    ['bounce list --unread', 'the newest 50, including truncated reports'],
    ['bounce list --unread --json', 'with the full text'],
  ],
  notes: 'Same as kurir bounce unknown. Emails that people sent to bounce addresses are listed too.',
  handler: unread,
  ...SHOWN,
});

/** Refusals of a class that are looked at, newest first. */
const OF_CLASS = 1_000;

/** The refusals of a class since a time, counted by the domain of the recipient. */
async function refusedBy({ stores }: Session, bounceClass: BounceClass, since: number) {
  const found = await stores.bounces.refusals(bounceClass, since, OF_CLASS);
  const counts = new Map<string, number>();
  for (const { to } of found) {
    const domain = to === null ? null : to.slice(to.lastIndexOf('@') + 1);
    counts.set(domain ?? '', (counts.get(domain ?? '') ?? 0) + 1);
  }
  const domains = [...counts].map(([domain, count]) => ({ domain: domain || null, count }));
  const [newest] = found;
  return {
    class: bounceClass,
    count: found.length,
    counted_all: found.length < OF_CLASS,
    domains: domains.sort((a, b) => b.count - a.count),
    ...(newest ? { last_at: jsonTime(newest.at), last_reason: newest.reason } : { last_at: null, last_reason: null }),
  };
}

const summaryOfRefusals = operation('bounce.summary', 'operator', {
  summary: 'show recent bounces by class and by recipient domain',
  options: { since: option('<duration>', 'how far back, such as 24h; default: 7d', duration, 7 * DAY) },
  examples: [
    ['bounce summary', 'the last seven days'],
    ['bounce summary --since 24h --json', 'the last day, with every domain'],
  ],
  notes: `Counts the newest ${OF_CLASS} bounces of each class. docs/bounces.md explains the classes.`,
  handler: async ({ since }, session) => {
    const from = session.clock.now() - since;
    const all = await Promise.all(BOUNCE_CLASSES.map((one) => refusedBy(session, one, from)));
    return { since: jsonTime(from), data: all.filter(({ count }) => count > 0) };
  },
  columns: {
    class: 'class',
    refusals: ({ count, counted_all: all }) => (all ? String(count) : `${count} or more`),
    domains: ({ domains }) =>
      domains
        .slice(0, 5)
        .map(({ domain, count }) => `${domain ?? 'deleted contacts'} ${count}`)
        .join(', '),
    last: 'last_at',
    words: upTo(100, 'last_reason'),
  },
  none: 'No bounces.',
});

export const BOUNCE = { unknown, list, summary: summaryOfRefusals };
