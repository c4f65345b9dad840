import { type Columns, facts, flag, limit, type Operation, operation, type Session, upTo } from './spec';

async function unread({ limit }: { limit: number }, { stores }: Session) {
  const found = await stores.bounces.unread(limit);
  return {
    data: found.map((of) => facts(of, 'id', 'count', 'firstAt', 'lastAt', 'text')),
  };
}
type Row = Awaited<ReturnType<typeof unread>>['data'][number];

const columns: Columns<Row> = { count: 'count', first: 'first_at', last: 'last_at', text: upTo(120, 'text') };
const SHOWN = { columns, none: 'Everything was understood.' };
const summary = 'reports and refusals that no rule understood in the last 30 days, without addresses; newest first';

const unknown = operation('bounce.unknown', 'operator', {
  summary,
  options: { limit: limit('texts') },
  examples: [
    ['bounce unknown', 'the newest 50'],
    ['bounce unknown --json', 'with their whole texts'],
  ],
  notes: 'Texts that differ only in their figures are one. Write a rule for those that come often: docs/bounces.md.',
  handler: unread,
  ...SHOWN,
});

const list = operation('bounce.list', 'operator', {
  summary,
  options: { unread: flag('those that were not understood; nothing else is listed yet'), limit: limit('texts') },
  examples: [
    ['bounce list --unread', 'the newest 50, reports that were cut among them'],
    ['bounce list --unread --json', 'with their whole texts'],
  ],
  notes: 'The same as kurir bounce unknown. Mail of people to bounce addresses is kept here too.',
  handler: unread,
  ...SHOWN,
});

export const BOUNCE_OPERATIONS: readonly Operation[] = [unknown, list];
