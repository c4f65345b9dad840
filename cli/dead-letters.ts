import type { Command } from 'commander';
import type { ParkedRecord } from '../streams/event-log';
import { GROUPS, namesOf, type GroupName } from '../streams/topics';
import type { Commands, Session, VerbSpec } from './support/command';
import { UsageError } from './support/errors';
import { oneOf, whole } from './support/input';
import { table } from './support/table';
import { jsonTime, showTime } from './support/times';

const GROUP_NAMES = namesOf(GROUPS);
const PAGE = 500;
/** Records re-driven at once: they share commits. */
const AT_ONCE = 50;

const present = (record: ParkedRecord) => ({
  id: record.id,
  topic: record.topic,
  group: record.group,
  key: record.key,
  reason: record.reason,
  parked_at: jsonTime(record.parkedAt),
  value: record.value,
});

const list: VerbSpec = {
  name: 'list',
  summary: 'records that could not be handled, with the reason; oldest first',
  options: [
    ['--limit <n>', 'records at most, 1 to 1000; default: 50'],
    ['--after <id>', 'only records after this one: the next page'],
  ],
  examples: [
    ['dead-letters list', 'the oldest 50'],
    ['dead-letters list --json', 'with what each record holds'],
  ],
  run: (input) => {
    const limit = input.option('limit', whole(1, 1_000)) ?? 50;
    const after = input.option('after', whole(1, Number.MAX_SAFE_INTEGER));
    return async ({ log, paint }) => {
      const records = await log.parked(limit, after);
      return {
        text: table(
          paint,
          [
            { title: 'id' },
            { title: 'parked' },
            { title: 'topic' },
            { title: 'group' },
            { title: 'key' },
            { title: 'reason', max: 120 },
          ],
          records.map(({ id, parkedAt, topic, group, key, reason }) => [
            id,
            showTime(parkedAt),
            topic,
            group,
            key,
            reason,
          ]),
          'No dead letters.',
        ),
        json: {
          data: records.map(present),
          next_after: records.length === limit ? (records.at(-1)?.id ?? null) : null,
        },
      };
    };
  },
};

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
  const progress = session.progress('driving again', ids.length);
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

const redrive: VerbSpec = {
  name: 'redrive',
  summary: 'publish dead letters again and take them off the list',
  args: [['[ids...]', 'ids of dead letters']],
  options: [
    ['--all', 'every dead letter'],
    ['--group <group>', `with --all: those of one group, of ${GROUP_NAMES.join(', ')}`],
  ],
  examples: [
    ['dead-letters redrive 12 13', 'two of them'],
    ['dead-letters redrive --all --group coins', 'all of the coins group'],
  ],
  notes: 'Only the group that could not handle a record gets it again; it does what it has done already only once.',
  run: (input) => {
    const ids = [...new Set(input.list('ids', whole(1, Number.MAX_SAFE_INTEGER)))];
    const all = input.has('all');
    const group = input.option('group', oneOf(...GROUP_NAMES));
    if (all === ids.length > 0)
      throw new UsageError('Give either ids or --all.', 'kurir dead-letters list shows the ids.', '<ids>');
    if (group !== undefined && !all) throw new UsageError('--group goes with --all only.', '', '--group');
    return async (session) => {
      const what = all ? `all${group ? ` of ${group}` : ''}` : ids.join(', ');
      await session.note('parked redrive', what.slice(0, 200), null);
      const { done, unknown } = await redriveAll(session, all ? await idsOf(session, group) : ids);
      const someUnknown = !all && unknown.length > 0;
      const text = `${done.length} re-driven${someUnknown ? `; not parked: ${unknown.join(', ')}` : ''}\n`;
      return { text, json: { redriven: done, not_parked: all ? [] : unknown }, code: someUnknown ? 1 : 0 };
    };
  },
};

/** The `kurir dead-letters` commands. */
export const deadLettersCommand = (commands: Commands): Command =>
  commands.group('dead-letters', 'records that could not be handled', [list, redrive], 'parked');
