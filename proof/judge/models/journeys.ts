import type { Act } from '../acts';
import { findingsOf, type Finding } from '../finding';
import type { Traveller } from '../history';
import { addressOf, MINUTE } from '../rules';
import { recipientOf, takesOf, type Run, type Workspace } from '../run';
import { leastPossible } from './balance-bounds';
import { isPunished } from './penalties';
import { isPersons } from './people';
import { mayBeStopped } from './stopped';

type Entry = Act<'enroll'> | Act<'confirm'>;

/** Each contact enters a journey once and takes its steps once, in order, after their waits. */
export function judgeJourneys(run: Run, workspace: Workspace): Finding[] {
  const [read] = workspace.more.export;
  if (!read?.answer) return [];
  const { journeys } = read.answer;
  return workspace.more.journey.flatMap((journey) => {
    const { list, add } = findingsOf(`journey ${journey.value.journey}`);
    const contacts = journeys.find((one) => one.journey === journey.value.journey)?.contacts ?? [];
    const entries = entriesOf(workspace, journey);
    for (const [to, text] of wrongEntries(workspace, contacts, entries))
      add('journey', `${to} ${text}`, [journey, ...(entries.get(to) ?? []), read]);
    for (const one of contacts) {
      const wrong = wrongSteps(run, workspace, journey, one) ?? wrongEnd(run, workspace, journey, one);
      if (wrong) add('path', `${one.to}: ${wrong}`, [journey, ...(entries.get(addressOf(one.to)) ?? []), read]);
    }
    const made = contacts.flatMap(({ steps }) => steps.flatMap(({ message }) => message ?? []));
    const known = new Set(made);
    if (known.size < made.length) add('path', 'Two of its steps have one mail.', [journey, read]);
    for (const { id, origin, attempts } of workspace.messages) {
      if (origin?.journey === journey.value.journey && !known.has(id))
        add('unsent', `The message ${id} is of no step.`, [origin.by, ...attempts, read]);
    }
    return list;
  });
}

/** Who is in it and should not be, twice, or is missing; with what is wrong. */
function wrongEntries(
  workspace: Workspace,
  contacts: readonly Traveller[],
  entries: ReadonlyMap<string, Entry[]>,
): [to: string, text: string][] {
  const wrong: [string, string][] = [];
  const seen = new Set<string>();
  for (const { to } of contacts) {
    const address = addressOf(to);
    if (seen.has(address)) wrong.push([address, 'is in it twice.']);
    if (address === '') continue;
    if (!entries.has(address)) wrong.push([address, 'is in it, and never entered.']);
    seen.add(address);
  }
  for (const [to, acts] of entries) {
    const isSure = acts.some(({ answer }) => [200, 201].includes(answer?.status ?? 0));
    if (isSure && !seen.has(to) && !mayBeStopped(workspace, to)) wrong.push([to, 'entered, and is not in it.']);
  }
  return wrong;
}

const isOf = (by: Act, { value: { journey, audience } }: Act<'journey'>): boolean =>
  (by.f === 'enroll' && (by as Act<'enroll'>).value.journey === journey) ||
  (by.f === 'confirm' && (by as Act<'confirm'>).value.audience === audience);

/** Who may have entered, by address. */
function entriesOf({ more }: Workspace, journey: Act<'journey'>): Map<string, Entry[]> {
  const entries = new Map<string, Entry[]>();
  for (const act of [...more.enroll, ...more.confirm]) {
    if (act.result === 'fail' || !isOf(act, journey)) continue;
    const to = addressOf(act.value.to);
    entries.set(to, [...(entries.get(to) ?? []), act]);
  }
  return entries;
}

/** Its steps in their order, each after its wait, with a mail of its own. */
function wrongSteps(run: Run, workspace: Workspace, { value }: Act<'journey'>, row: Traveller): string | null {
  const { steps } = row;
  const done = steps.map(({ step, type }) => `${step} ${type}`).join(', ');
  const due = value.steps.slice(0, steps.length).map(({ type }, n) => `${n + 1} ${type}`);
  if (done !== due.join(', ')) return `it did ${done}.`;
  for (const [n, { at, type, message }] of steps.entries()) {
    const before = steps[n - 1]?.at ?? -Infinity;
    const wait = value.steps[n]?.wait ?? 0;
    if (at < before + wait - furthestBehind(run, before, at) - MINUTE - run.slack.clock)
      return `step ${n + 1} came ${at - before} ms after the one before.`;
    const wrong = type === 'email' ? wrongMail(run, workspace, row.to, message) : null;
    if (wrong) return `step ${n + 1}: ${wrong}`;
  }
  return null;
}

/**
 * How far the clock was set back at most between two steps, ms. A wait then begins anew by that clock, and ends so much
 * earlier once it is right; the second step may have been noted while it was still behind.
 */
const furthestBehind = ({ faults }: Run, from: number, to: number): number =>
  faults.reduce((most, { at, value: { behind = 0 } }) => {
    return at >= from && at <= to + behind ? Math.max(most, behind) : most;
  }, 0);

/** Left for a reason that the history shows, and not after that; otherwise completed. */
function wrongEnd(run: Run, workspace: Workspace, journey: Act<'journey'>, row: Traveller): string | null {
  const { steps, state, reason, to } = row;
  const late = lateStep(run, workspace, journey, row);
  if (late) return late;
  if (state === 'completed')
    return steps.length === journey.value.steps.length ? null : 'it ended before its last step.';
  if (state !== 'left') return `it is ${state} in the end.`;
  if (to === '' && reason === 'deleted') return null;
  if (reason !== 'goal') {
    const isStopped = mayBeStopped(workspace, to) && STOPS.includes(reason ?? '');
    return isStopped ? null : `nothing explains that it left: ${reason}.`;
  }
  const own = new Set(steps.map(({ message }) => message));
  const isClicked = workspace.messages.some(
    ({ id, clicks }) => own.has(id) && clicks.some(({ result }) => result !== 'fail'),
  );
  return journey.value.goal && isClicked ? null : 'nobody clicked.';
}

const STOPS = ['bounced', 'complained', 'suppressed', 'unsubscribed', 'deleted'];

/** A step long after the contact must have left: for a hard bounce or a complaint, or since it reached the goal. */
function lateStep(run: Run, workspace: Workspace, journey: Act<'journey'>, row: Traveller): string | null {
  // What was acknowledged is stored; a fault puts off that it is read.
  const wrong = leavesOf(run, workspace, journey, row).find(({ end }) =>
    row.steps.some((step) => step.at > end + LEFT_BY && !run.faultTimes.any(step.at - run.slack.late, step.at)),
  );
  return wrong ? `it went on after a ${wrong.f}.` : null;
}

/** What certainly made a contact leave. */
function leavesOf(
  run: Run,
  workspace: Workspace,
  { value }: Act<'journey'>,
  { to, steps }: Traveller,
): (Act<'report'> | Act<'click'> | Act<'block'>)[] {
  const own = new Set(steps.map(({ message }) => message));
  const gone = workspace.blocks.filter(
    ({ value, result }) => value.leaves && result === 'ok' && addressOf(value.to) === addressOf(to),
  );
  const left = workspace.messages.flatMap((message) => {
    if (addressOf(recipientOf(message) ?? '') !== addressOf(to) || takesOf(message).length === 0) return [];
    const isGoal = value.goal && own.has(message.id);
    return [
      ...message.reports.filter((report) => report.result === 'ok' && isPunished(report.value.kind)),
      ...message.clicks.filter((click) => isGoal && isPersons(run, message, click)),
    ];
  });
  return [...gone, ...left];
}

/** How long after a report or a click a contact has left for certain, ms. */
const LEFT_BY = 3 * MINUTE;

/** A mail is refused only when it may not be sent. */
function wrongMail(run: Run, workspace: Workspace, to: string, id: string | null): string | null {
  if (id === null)
    return leastPossible(run, workspace) < 1 || mayBeStopped(workspace, to) ? null : 'its mail was refused.';
  const message = workspace.messages.find((one) => one.id === id);
  if (!message?.final) return `its mail ${id} is not there.`;
  return addressOf(message.final.to) === addressOf(to) ? null : `its mail is to ${message.final.to}.`;
}
