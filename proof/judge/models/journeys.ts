import type { Act } from '../acts';
import { findingsOf, type Finding } from '../finding';
import type { Traveller } from '../history';
import { addressOf, MINUTE } from '../rules';
import type { Message, Run, Workspace } from '../run';
import { leastPossible } from './balance-bounds';
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
    const byAddress = new Map<string, Traveller[]>();
    for (const one of contacts) byAddress.set(addressOf(one.to), [...(byAddress.get(addressOf(one.to)) ?? []), one]);
    for (const [to, rows] of byAddress) {
      if (rows.length > 1) add('journey', `${to} is in it ${rows.length} times.`, [journey, read]);
      if (!entries.has(to)) add('journey', `${to} is in it, and never entered.`, [journey, read]);
    }
    for (const [to, acts] of entries) {
      const isSure = acts.some(({ answer }) => [200, 201].includes(answer?.status ?? 0));
      if (isSure && !byAddress.has(to) && !mayBeStopped(workspace, to))
        add('journey', `${to} entered, and is not in it.`, [...acts, read]);
    }
    for (const one of contacts) {
      const wrong = wrongPath(run, workspace, journey, one);
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

const isOf = (by: Act, { value: { journey, audience } }: Act<'journey'>): boolean =>
  (by.f === 'enroll' && (by as Act<'enroll'>).value.journey === journey) ||
  (by.f === 'confirm' && (by as Act<'confirm'>).value.audience === audience);

/** Who may have entered, by address. */
function entriesOf({ more }: Workspace, journey: Act<'journey'>): Map<string, Entry[]> {
  const entries = new Map<string, Entry[]>();
  for (const act of [...more.enroll, ...more.confirm]) {
    if (act.result === 'fail' || !isOf(act as Act, journey)) continue;
    const to = addressOf(act.value.to);
    entries.set(to, [...(entries.get(to) ?? []), act]);
  }
  return entries;
}

function wrongPath(run: Run, workspace: Workspace, journey: Act<'journey'>, row: Traveller): string | null {
  const { steps: way, goal } = journey.value;
  const { steps, state, reason } = row;
  const done = steps.map(({ step, type }) => `${step} ${type}`).join(', ');
  const due = way.slice(0, steps.length).map(({ type }, n) => `${n + 1} ${type}`);
  if (done !== due.join(', ')) return `it did ${done}.`;
  for (const [n, { at }] of steps.entries()) {
    const before = steps[n - 1]?.at ?? -Infinity;
    const wait = way[n]?.wait ?? 0;
    if (at < before + wait - MINUTE - run.slack.clock) return `step ${n + 1} came ${at - before} ms after the one before.`;
  }
  const messages = steps.map(({ message }) => workspace.messages.find(({ id }) => id === message));
  for (const [n, { type, message }] of steps.entries()) {
    const wrong = type === 'email' ? wrongMail(run, workspace, row, message, messages[n]) : null;
    if (wrong) return `step ${n + 1}: ${wrong}`;
  }
  if (state === 'completed') return steps.length === way.length ? null : 'it ended before its last step.';
  if (state !== 'left') return `it is ${state} in the end.`;
  if (reason === 'goal') {
    const isClicked = messages.some((message) => message?.clicks.some(({ result }) => result !== 'fail'));
    return goal && isClicked ? null : 'nobody clicked.';
  }
  return mayBeStopped(workspace, row.to) && ['bounced', 'complained', 'suppressed'].includes(reason ?? '')
    ? null
    : `nothing explains that it left: ${reason}.`;
}

/** A mail is refused only when it may not be sent. */
function wrongMail(
  run: Run,
  workspace: Workspace,
  { to }: Traveller,
  id: string | null,
  message: Message | undefined,
): string | null {
  if (id === null)
    return leastPossible(run, workspace) < 1 || mayBeStopped(workspace, to) ? null : 'its mail was refused.';
  if (!message?.final) return `its mail ${id} is not there.`;
  return addressOf(message.final.to) === addressOf(to) ? null : `its mail is to ${message.final.to}.`;
}
