import { AT_ONCE } from '../../../stores/ports/wakeup-store';
import type { Message } from '../../../domain/messages/message';
import type { Stores } from '../../../stores/ports';
import { FINAL, waitingWork } from '../../world/unfinished-work';
import type { Stage } from './stage';

/** Unfinished messages that are told one by one. */
const TOLD = 10;
/** Lines of each log that are told, and characters of each. */
const LINES = 5;
const LINE = 300;
/** More messages than a workspace has. */
const MOST = 10_000_000;

type Seen = Pick<Message, 'id' | 'workspaceId' | 'status' | 'attempt' | 'dueAt' | 'heldFor' | 'fence' | 'unknown'>;

/** What each process does, what the log and the sending server still have, and what the processes said last. */
export async function tellProcesses(stage: Stage): Promise<string[]> {
  const members = await Promise.all(
    stage.members.map(async (member) => {
      const said = member.lastLines(LINES).map((line) => `    ${line.slice(0, LINE)}`);
      return [`  ${member.name} (pid ${member.pid ?? 'none'}) ${await member.state()}; it said last:`, ...said];
    }),
  );
  const lags = await stage.lags();
  const behind = Object.entries(lags ?? {}).flatMap(([group, lag]) => (lag > 0 ? [`${group} by ${lag}`] : []));
  const log = lags === null ? 'no process tells' : behind.join(', ') || 'nobody';
  return ['processes:', ...members.flat(), `behind in the log: ${log}`, `reports that wait: ${stage.pendingReports}`];
}

/** How many messages are in which state, and what the unfinished ones and other work wait for; `now` in ms. */
export async function tellWork(stores: Stores, now: number): Promise<string[]> {
  const messages: Seen[] = [];
  for (const { id } of await stores.workspaces.list())
    messages.push(...(await stores.messages.list(id, { offset: 0, limit: MOST })).items);
  const states = new Map<string, number>();
  for (const { status } of messages) states.set(status, (states.get(status) ?? 0) + 1);
  const open = messages.filter(({ status }) => !FINAL.has(status));
  const wakeups = await stores.wakeups.find([...new Set(open.map(({ workspaceId }) => workspaceId))]);
  const lookAt = new Map(wakeups.map(({ workspaceId, at }) => [workspaceId, at]));
  const work = await waitingWork(stores);
  return [
    `messages: ${[...states].map(([status, n]) => `${n} ${status}`).join(', ') || 'none'}`,
    ...open.slice(0, TOLD).map((message) => `  ${tellMessage(message, lookAt.get(message.workspaceId), now)}`),
    ...(open.length > TOLD ? [`  and ${open.length - TOLD} more`] : []),
    `other work: ${work.map(({ kind, dueAt }) => `${kind} ${tellTime(dueAt, now)}`).join(', ') || 'none'}`,
  ];
}

function tellMessage(
  { id, workspaceId, status, attempt, dueAt, heldFor, fence, unknown }: Seen,
  lookAt: number | undefined,
  now: number,
): string {
  const look = lookAt === undefined ? 'has no next look' : `is looked at ${tellTime(lookAt, now)}`;
  const facts = [
    `attempt ${attempt}`,
    ...(fence === null ? [] : ['past the fence']),
    ...(unknown ? ['waits for evidence'] : []),
    ...(heldFor === null ? [] : [`held for ${heldFor}`]),
    dueAt === null ? 'never due' : tellTime(dueAt, now),
    ...(status === 'queued' ? [`workspace ${workspaceId} ${look}`] : []),
  ];
  return `${id} is ${status}: ${facts.join(', ')}`;
}

function tellTime(at: number, now: number): string {
  if (at === AT_ONCE) return 'at once';
  const seconds = Math.round(Math.abs(at - now) / 1_000);
  return at > now ? `in ${seconds} s` : `due for ${seconds} s`;
}
