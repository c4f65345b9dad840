import { paceOf } from '../installation/pace';
import { LANES } from '../../domain/messages/message';
import { jsonTime, limit, operation, option, type Session, whole } from '../definition';

/** Why the next message of a workspace waits, in the words of message show. */
async function waitOf({ stores, clock }: Session, workspaceId: number, dueAt: number | null) {
  const now = clock.now();
  if (dueAt === null) return { waits_for: 'resumption', until: null };
  if (dueAt > now) return { waits_for: 'schedule or retry', until: jsonTime(dueAt) };
  const pace = await paceOf(stores, workspaceId, now);
  return pace ? { waits_for: pace.by, until: jsonTime(pace.until) } : { waits_for: 'turn', until: null };
}

async function rowOf(session: Session, workspaceId: number) {
  const { stores } = session;
  const [workspace, due, queued] = await Promise.all([
    stores.workspaces.get(workspaceId),
    stores.queue.nextDue(workspaceId),
    stores.messages.list(workspaceId, { status: 'queued', offset: 0, limit: 1 }),
  ]);
  const times = LANES.flatMap((lane) => due[lane] ?? []);
  return {
    workspace_id: workspaceId,
    name: workspace?.name ?? '',
    queued: queued.total,
    next_due: Object.fromEntries(LANES.map((lane) => [lane, jsonTime(due[lane] ?? null)])),
    ...(await waitOf(session, workspaceId, times.length === 0 ? null : Math.min(...times))),
  };
}

const list = operation('queue.list', 'operator', {
  summary: 'list workspaces with queued messages, and what the next message of each is waiting for',
  options: {
    after: option('<id>', 'only workspaces after this one, for the next page', whole(0, Number.MAX_SAFE_INTEGER), 0),
    limit: limit('workspaces'),
  },
  examples: [
    ['queue list', 'the first 50'],
    ['queue list --json', 'with the next send time of each lane'],
  ],
  notes:
    'Reasons: its place in the queue, a schedule or a retry, the send rate, the daily limit of the workspace or the installation, or a paused campaign.',
  handler: async ({ after, limit }, session) => {
    const ids = await session.stores.queue.workspacesWaiting(after, limit);
    const data = await Promise.all(ids.map((id) => rowOf(session, id)));
    return { data, next_after: ids.length === limit ? (ids.at(-1) ?? null) : null };
  },
  columns: { id: 'workspace_id', workspace: 'name', queued: 'queued', 'waits for': 'waits_for', until: 'until' },
  none: 'The queue is empty.',
});

export const QUEUE = { list };
