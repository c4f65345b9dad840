import { ValueError } from '../../lib/reason';
import type { DueTaskKey, GivenUpTask } from '../../stores/ports/due-tasks';
import { redriveTasks } from './redrive-tasks';
import {
  facts,
  flag,
  limit,
  list as listArgument,
  operation,
  option,
  type Read,
  type Session,
  upTo,
  UsageError,
  why,
  rule,
} from '../definition';

const PAGE = 500;

/** A task as the operator names it: its kind, a slash, and its id. */
const nameOf = ({ kind, id }: DueTaskKey): string => `${kind}/${id}`;

const readTask: Read<DueTaskKey> = (raw) => {
  const [, kind, id] = /^([A-Za-z0-9.-]+)\/(.+)$/.exec(raw.trim()) ?? [];
  if (kind === undefined || id === undefined) throw new ValueError(rule('task'));
  return { kind, id };
};
const readKind: Read<string> = (raw) => {
  const kind = raw.trim();
  if (!/^[A-Za-z0-9.-]+$/.test(kind)) throw new ValueError(rule('kind'));
  return kind;
};

/** The given-up tasks after one of them, by kind and id; `kind`: only those of this kind. */
async function givenUp(
  { stores: { dueTasks } }: Session,
  kind: string | undefined,
  after: DueTaskKey | undefined,
  limit: number,
): Promise<GivenUpTask[]> {
  const kinds = kind === undefined ? await dueTasks.kinds() : [kind];
  const found: GivenUpTask[] = [];
  for (const next of kinds) {
    if (found.length === limit) break;
    if (after && next < after.kind) continue;
    found.push(...(await dueTasks.givenUp(next, after?.kind === next ? after.id : null, limit - found.length)));
  }
  return found;
}

const list = operation('due-work.list', 'operator', {
  summary: 'list failed jobs with the reason, by kind and id',
  options: {
    kind: option('<kind>', 'only jobs of this kind, such as confirm-mail', readKind),
    limit: limit('jobs'),
    after: option('<kind/id>', 'only jobs after this one, for the next page', readTask),
  },
  examples: [
    ['due-work list', 'the first 50'],
    ['due-work list --kind confirm-mail --json', 'those of one kind, with their content'],
  ],
  handler: async ({ kind, limit, after }, session) => {
    const tasks = await givenUp(session, kind, after, limit);
    const last = tasks.length === limit ? tasks.at(-1) : undefined;
    return {
      data: tasks.map((task) => ({
        task: nameOf(task),
        ...facts(task, 'kind', 'id', 'workspaceId', 'attempt', 'reason', 'givenUpAt', 'payload'),
      })),
      next_after: last ? nameOf(last) : null,
    };
  },
  columns: {
    task: 'task',
    'failed at': 'given_up_at',
    workspace: 'workspace_id',
    attempts: 'attempt',
    reason: upTo(120, 'reason'),
  },
  none: 'No failed jobs.',
});

/** Every task that is given up now. One that is given up again meanwhile may come once more, and ends the pages. */
async function allOf(session: Session, kind: string | undefined): Promise<GivenUpTask[]> {
  const found: GivenUpTask[] = [];
  for (let page: GivenUpTask[]; ; found.push(...page)) {
    page = await givenUp(session, kind, found.at(-1), PAGE);
    if (page.length === 0) return found;
  }
}

const redrive = operation('due-work.redrive', 'operator', {
  summary: 'retry failed jobs right away',
  arguments: { tasks: listArgument('jobs, as listed: kind/id', readTask) },
  options: {
    all: flag('all failed jobs'),
    kind: option('<kind>', 'with --all: only those of one kind', readKind),
  },
  examples: [
    ['due-work redrive webhook-replay/7', 'one of them'],
    ['due-work redrive --all --kind confirm-mail', 'all of one kind'],
  ],
  notes: 'A job that fails again returns to the list, with its reason.',
  check: ({ tasks, all, kind }) => {
    if (all === tasks.length > 0)
      throw new UsageError(
        why('either', { one: 'tasks', other: '--all' }),
        'kurir due-work list shows the jobs.',
        '<tasks>',
      );
    if (kind !== undefined && !all) throw new UsageError(why('goes_only_with', { label: '--kind', other: '--all' }));
  },
  handler: async ({ tasks, all, kind }, session) => {
    const named = new Map(tasks.map((task) => [nameOf(task), task]));
    const what = all ? `all${kind === undefined ? '' : ` of ${kind}`}` : [...named.keys()].join(', ');
    await session.note('due-work redrive', what.slice(0, 200), null);
    const wanted = all ? await allOf(session, kind) : [...named.values()];
    const progress = session.progress('retrying', wanted.length);
    const { done, unknown } = await redriveTasks(session.stores.dueTasks, wanted, () => session.clock.now(), progress);
    return { redriven: done.map(nameOf), not_given_up: all ? [] : unknown.map(nameOf) };
  },
  code: ({ not_given_up: unknown }) => (unknown.length > 0 ? 1 : 0),
  text: ({ redriven, not_given_up: unknown }) =>
    `${redriven.length} re-driven${unknown.length > 0 ? `; no failed job: ${unknown.join(', ')}` : ''}\n`,
});

export const DUE_WORK = { list, redrive };
