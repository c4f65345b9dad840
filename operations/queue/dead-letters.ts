import { GROUPS, namesOf, type GroupName } from '../../streams/topics';
import {
  anyId,
  facts,
  flag,
  limit,
  list as listArgument,
  oneOf,
  operation,
  option,
  type Session,
  upTo,
  UsageError,
  why,
} from '../definition';

const GROUP_NAMES = namesOf(GROUPS);
const PAGE = 500;
/** Records re-driven at once: they share commits. */
const AT_ONCE = 50;

const list = operation('dead-letters.list', 'operator', {
  summary: 'list records that could not be processed, with the reason; oldest first',
  options: { limit: limit('records'), after: option('<id>', 'only records after this one, for the next page', anyId) },
  examples: [
    ['dead-letters list', 'the oldest 50'],
    ['dead-letters list --json', 'with the content of each record'],
  ],
  handler: async ({ limit, after }, { log }) => {
    const records = await log.parked(limit, after);
    return {
      data: records.map((of) => facts(of, 'id', 'topic', 'group', 'key', 'reason', 'parkedAt', 'value')),
      next_after: records.length === limit ? (records.at(-1)?.id ?? null) : null,
    };
  },
  columns: { id: 'id', parked: 'parked_at', topic: 'topic', group: 'group', key: 'key', reason: upTo(120, 'reason') },
  none: 'No dead letters.',
});

/** All current ids. A record that is parked again meanwhile gets a new id and is left for the next run. */
async function idsOf({ log }: Session, group: GroupName | undefined): Promise<number[]> {
  const ids: number[] = [];
  for (let after = 0; ;) {
    const page = await log.parked(PAGE, after);
    ids.push(...page.filter((record) => group === undefined || record.group === group).map(({ id }) => id));
    const last = page.at(-1);
    if (!last || page.length < PAGE) return ids;
    after = last.id;
  }
}

async function redriveAll(session: Session, ids: readonly number[]): Promise<{ done: number[]; unknown: number[] }> {
  const progress = session.progress('retrying', ids.length);
  const done: number[] = [];
  const unknown: number[] = [];
  try {
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const some = ids.slice(from, from + AT_ONCE);
      const answers = await Promise.all(some.map((id) => session.log.redrive(id)));
      some.forEach((id, i) => (answers[i] ? done : unknown).push(id));
      progress.step(some.length);
    }
  } finally {
    progress.done();
  }
  return { done, unknown };
}

const redrive = operation('dead-letters.redrive', 'operator', {
  summary: 'retry dead letters: publish them again and remove them from the list',
  arguments: { ids: listArgument('ids of dead letters', anyId) },
  options: {
    all: flag('every dead letter'),
    group: option('<group>', `with --all: only those of one group (${GROUP_NAMES.join(', ')})`, oneOf(...GROUP_NAMES)),
  },
  examples: [
    ['dead-letters redrive 12 13', 'two of them'],
    ['dead-letters redrive --all --group coins', 'all of the group coins'],
  ],
  notes: 'A record goes only to the group that could not process it; steps it has already done are not repeated.',
  check: ({ ids, all, group }) => {
    if (all === ids.length > 0)
      throw new UsageError(
        why('either', { one: 'ids', other: '--all' }),
        'kurir dead-letters list shows the ids.',
        '<ids>',
      );
    if (group !== undefined && !all) throw new UsageError(why('goes_only_with', { label: '--group', other: '--all' }));
  },
  handler: async ({ all, group, ...input }, session) => {
    const ids = [...new Set(input.ids)];
    const what = all ? `all${group ? ` of ${group}` : ''}` : ids.join(', ');
    await session.note('parked redrive', what.slice(0, 200), null);
    const { done, unknown } = await redriveAll(session, all ? await idsOf(session, group) : ids);
    return { redriven: done, not_parked: all ? [] : unknown };
  },
  code: ({ not_parked: unknown }) => (unknown.length > 0 ? 1 : 0),
  text: ({ redriven, not_parked: unknown }) =>
    `${redriven.length} re-driven${unknown.length > 0 ? `; not parked: ${unknown.join(', ')}` : ''}\n`,
});

export const DEAD_LETTERS = { list, redrive };
