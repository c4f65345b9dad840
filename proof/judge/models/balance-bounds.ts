import type { Act } from '../acts';
import { PENALTY } from '../rules';
import { isArrival, isBounce, takesOf, type Message, type Run, type Workspace } from '../run';
import { Sums } from '../sums';
import { forcedReason, isPunished, maybeForced } from './penalties';

/** What the coins of a workspace may be at any time. */
interface Bounds {
  opening: number;
  /** Coins that came, by the time they certainly had, and by the time they may have. */
  came: Sums;
  mayCome: Sums;
  /** Coins that may be gone. */
  mayGo: Sums;
  /** Coins that are gone as long as a mail is handed over, and the time from which they may be back. */
  gone: Sums;
  mayBeBack: Sums;
}

const known = new WeakMap<Workspace, Bounds>();

function boundsOf(run: Run, workspace: Workspace): Bounds {
  let bounds = known.get(workspace);
  if (!bounds) known.set(workspace, (bounds = makeBounds(run, workspace)));
  return bounds;
}

function makeBounds({ slack }: Run, workspace: Workspace): Bounds {
  const opening = workspace.accounts.reduce((sum, { value }) => sum + value.coins, 0);
  const bounds = {
    opening,
    came: new Sums(),
    mayCome: new Sums(),
    mayGo: new Sums(),
    gone: new Sums(),
    mayBeBack: new Sums(),
  };
  for (const group of topUpsOf(workspace).values()) {
    const done = Math.min(...group.map(({ result, end }) => (result === 'ok' ? end : Infinity)));
    const [first] = group;
    if (!first || group.every(({ result }) => result === 'fail')) continue;
    if (done < Infinity) bounds.came.add(done, first.value.coins);
    bounds.mayCome.add(first.at, first.value.coins);
  }
  for (const message of workspace.messages) addMessage(bounds, message, slack.evidence);
  for (const send of workspace.sends) if (forcedReason(send)) bounds.mayGo.add(send.at, PENALTY);
  for (const send of maybeForced(workspace)) bounds.mayGo.add(send.at, PENALTY);
  return bounds;
}

function addMessage({ mayGo, gone, mayBeBack }: Bounds, message: Message, evidence: number): void {
  const sent = message.sends[0] ?? message.origin;
  if (sent) mayGo.add(sent.at, 1);
  const punished = message.reports.find(
    ({ value, result }) => result !== 'fail' && (isPunished(value.kind) || value.kind === 'full'),
  );
  if (punished) mayGo.add(punished.at, PENALTY);
  const [take] = takesOf(message);
  if (!take) return;
  gone.add(take.at, 1);
  const back = refundedFrom(message, take.at + evidence);
  if (back < Infinity) mayBeBack.add(back, 1);
}

/** From when on the coin of a mail that was taken may be back: given up, or without a report for days. */
function refundedFrom({ reports }: Message, unreported: number): number {
  const given = reports
    .filter(({ value, result }) => value.kind === 'expired' && result !== 'fail')
    .map(({ at }) => at);
  const back = Math.min(unreported, ...given);
  const proof = reports.some(({ value, end }) => (isArrival(value.kind) || isBounce(value.kind)) && end < back);
  return proof ? Infinity : back;
}

/** The attempts at each top-up, by its reference: it happens once. */
export function topUpsOf({ topUps }: Workspace): Map<string, Act<'top-up'>[]> {
  const byReference = new Map<string, Act<'top-up'>[]>();
  for (const act of topUps) {
    const { reference } = act.value;
    byReference.set(reference, [...(byReference.get(reference) ?? []), act]);
  }
  return byReference;
}

/** What a read of the balance that began at `from` and ended at `to` (ms) may have answered. */
export function balanceBetween(
  run: Run,
  workspace: Workspace,
  from: number,
  to: number,
): { least: number; most: number } {
  const { opening, came, mayCome, mayGo, gone, mayBeBack } = boundsOf(run, workspace);
  return {
    least: opening + came.until(from) - mayGo.until(to),
    most: opening + mayCome.until(to) - gone.until(from) + mayBeBack.until(to),
  };
}

/** The least that the balance may have been at any time. */
export function leastPossible(run: Run, workspace: Workspace): number {
  const { opening, came, mayGo } = boundsOf(run, workspace);
  return mayGo
    .times()
    .reduce((least, time) => Math.min(least, opening + came.until(time) - mayGo.until(time)), opening);
}
