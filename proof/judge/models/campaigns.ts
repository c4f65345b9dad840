import type { Act } from '../acts';
import { findingsOf, type Finding } from '../finding';
import type { Acts, Progress, Recipient } from '../history';
import { addressOf, TEXTS } from '../rules';
import { takesOf, type Message, type Run, type Workspace } from '../run';
import { mayBeStopped } from './stopped';

type Shown = Acts['export'][1]['campaigns'][number];
type Add = ReturnType<typeof findingsOf>['add'];

/** A campaign with all that was done to it. */
interface Campaign {
  id: number;
  starts: Act<'campaign'>[];
  moves: Act<'move'>[];
  looks: Act<'progress'>[];
  shown: Shown | null;
}

/** Each member gets a campaign once, its counts close at every moment, and a pause or a cancellation holds. */
export function judgeCampaigns(run: Run, workspace: Workspace): Finding[] {
  const { more } = workspace;
  const ids = new Set(more.campaign.map(({ value }) => value.campaign));
  const [read] = more.export;
  return [...ids].flatMap((id) => {
    const { list, add } = findingsOf(`campaign ${id}`);
    const mine = <F extends 'campaign' | 'move' | 'progress'>(acts: Act<F>[]): Act<F>[] =>
      acts.filter(({ value }) => value.campaign === id);
    const campaign: Campaign = {
      id,
      starts: mine(more.campaign),
      moves: mine(more.move),
      looks: mine(more.progress),
      shown: read?.answer?.campaigns.find((one) => one.campaign === id) ?? null,
    };
    judgeCounts(campaign, add);
    if (read?.answer) judgeManifest(run, workspace, { campaign, read, add });
    judgePauses(run, workspace, campaign, add);
    return list;
  });
}

const PARTS = ['delivered', 'bounced', 'failed', 'skipped', 'pending', 'in_hand'] as const;

const closes = (counts: Progress): boolean => counts.recipients === PARTS.reduce((sum, part) => sum + counts[part], 0);

function judgeCounts({ looks }: Campaign, add: Add): void {
  for (const look of looks) {
    if (look.answer && !closes(look.answer.counts)) add('equation', 'Its counts do not add up.', [look]);
  }
}

interface Judged {
  campaign: Campaign;
  read: Act<'export'>;
  add: Add;
}

function judgeManifest(run: Run, workspace: Workspace, { campaign, read, add }: Judged): void {
  const { starts, shown } = campaign;
  if (!shown) return add('campaign', 'It is not there in the end.', [...starts, read]);
  const mayRun = starts.filter(({ result }) => result !== 'fail');
  const { state, counts, recipients } = shown;
  if (mayRun.length === 0) {
    if (state !== 'draft' || recipients.length > 0)
      add('campaign', 'It ran, and nobody started it.', [...starts, read]);
    return;
  }
  if (state === 'draft' && !mayRun.some(({ result }) => result === 'ok')) return;
  if (state !== 'completed') add('unfinished', `It is ${state} in the end.`, [...starts, ...campaign.moves, read]);
  const rows = (of: string): number => recipients.filter((row) => row.state === of).length;
  const isTold = ['delivered', 'bounced', 'failed', 'skipped'].every((of) => counts[of as keyof Progress] === rows(of));
  if (!closes(counts) || !isTold || counts.recipients !== recipients.length)
    add('equation', `Its counts are ${JSON.stringify(counts)}, with ${recipients.length} recipients.`, [read]);
  judgeMembers(run, workspace, { campaign, read, add }, recipients);
  judgeRows(workspace, { campaign, read, add }, recipients);
}

/** Each row has a message that fits, and each message a row. */
function judgeRows(workspace: Workspace, { campaign, read, add }: Judged, recipients: readonly Recipient[]): void {
  const { starts, moves } = campaign;
  const messages = new Map(workspace.messages.map((message) => [message.id, message]));
  const isCancelled = moves.some(({ value, result }) => value.move === 'cancel' && result !== 'fail');
  const seen = new Set<string | null>();
  for (const row of recipients) {
    const wrong = wrongRow(workspace, row, messages.get(row.message ?? ''), isCancelled);
    if (wrong) add('campaign', `${row.to} is ${row.state} ("${row.reason}"): ${wrong}`, [...starts, read]);
    if (row.message !== null && seen.has(row.message)) add('campaign', `Two rows have ${row.message}.`, [read]);
    seen.add(row.message);
  }
  for (const { id, origin, attempts } of workspace.messages) {
    if (origin?.by.f !== 'campaign' || origin.by.value.campaign !== campaign.id || seen.has(id)) continue;
    add('unsent', `The message ${id} is of no recipient.`, [...starts, ...attempts, read]);
  }
}

/** All who were members at the start, each once. */
function judgeMembers(
  { faults }: Run,
  { more }: Workspace,
  { campaign, read, add }: Judged,
  recipients: readonly Recipient[],
): void {
  const { starts } = campaign;
  // By a clock that was set back, it started before they joined.
  const isTold = !faults.some(({ value }) => value.kind === 'clock');
  const audience = starts[0]?.value.audience;
  const joins = more.join.filter(({ value, result }) => value.audience === audience && result !== 'fail');
  const from = Math.min(...starts.filter(({ result }) => result !== 'fail').map(({ at }) => at));
  const listed = new Map<string, number>();
  for (const { to } of recipients) listed.set(addressOf(to), (listed.get(addressOf(to)) ?? 0) + 1);
  for (const join of joins) {
    const times = listed.get(addressOf(join.value.to)) ?? 0;
    if (times > 1) add('campaign', `${join.value.to} stands in it ${times} times.`, [join, ...starts, read]);
    if (times === 0 && isTold && join.result === 'ok' && join.end <= from)
      add('campaign', `${join.value.to} was a member, and is no recipient.`, [join, ...starts, read]);
  }
  const known = new Set(joins.map(({ value }) => addressOf(value.to)));
  for (const to of listed.keys()) if (!known.has(to)) add('campaign', `${to} is no member.`, [...starts, read]);
}

function wrongRow(
  workspace: Workspace,
  { to, state, reason, message: id }: Recipient,
  message: Message | undefined,
  isCancelled: boolean,
): string | null {
  if (state === 'skipped') return mayBeStopped(workspace, to) ? null : 'nothing in the history explains it.';
  if (id === null) return isCancelled && reason === TEXTS.cancelled ? null : 'it has no message.';
  if (!message?.final) return `its message ${id} is not there.`;
  if (addressOf(message.final.to) !== addressOf(to)) return `its message is to ${message.final.to}.`;
  return message.final.state === state ? null : `its message is ${message.final.state}.`;
}

/** Nothing is handed over while it is paused, and after it was cancelled, but for what was claimed. */
function judgePauses({ faultTimes, slack }: Run, workspace: Workspace, { id, moves }: Campaign, add: Add): void {
  const takes = workspace.messages.flatMap((message) =>
    message.origin?.by.f === 'campaign' && message.origin.by.value.campaign === id ? takesOf(message) : [],
  );
  for (const stop of moves) {
    if (stop.result !== 'ok' || stop.value.move === 'resume') continue;
    // A resumption without an answer may come at any time.
    const again = moves
      .filter(
        ({ value, result, at, end }) => value.move === 'resume' && result !== 'fail' && (at > stop.at || end > stop.at),
      )
      .map(({ at }) => at);
    const until = stop.value.move === 'cancel' ? Infinity : Math.min(Infinity, ...again);
    const wrong = takes.filter(
      ({ at }) => at > stop.end + slack.claimed && at < until && !faultTimes.any(stop.at - slack.lease, at),
    );
    if (wrong.length > 0) add('paused', `It was handed over after the answer to ${stop.value.move}.`, [stop, ...wrong]);
  }
}
