import type { Act } from '../acts';
import { findingsOf, type Finding } from '../finding';
import type { ReportKind } from '../history';
import { addressOf, BLOCKED_TEXTS, HOUR, RETRIES_END, TEXTS, UNEXPLAINED_TEXTS } from '../rules';
import * as of from '../run';
import type { FinalMessage, Message, Run, Workspace } from '../run';
import { leastPossible } from './balance-bounds';
import { isPermanent, isRefused } from './hand-off';

type State = 'delivered' | 'bounced' | 'failed';
const FINAL: readonly string[] = ['delivered', 'bounced', 'failed'] satisfies State[];

/** Every message is final, and ended as the sending server treated it. */
export function judgeOutcomes(run: Run, workspace: Workspace): Finding[] {
  const blocked = blockedAddresses(workspace);
  return workspace.messages.flatMap((message) => {
    const { final } = message;
    if (!final) return [];
    const { list, add } = findingsOf(`message ${message.id}`);
    const lines = [...message.sends, ...message.attempts, ...message.reports, ...workspace.finals];
    const states = possibleStates(message);
    if (!FINAL.includes(final.state)) add('unfinished', `It is ${final.state} in the end.`, lines);
    else if (!states.has(final.state as State)) {
      add('state', `It is ${final.state} in the end, not ${[...states].join(' or ')}.`, lines);
    } else {
      const wrong = wrongReason(run, workspace, { message, final, blocked });
      if (wrong) add('reason', `It is ${final.state} in the end with "${final.reason}": ${wrong}`, lines);
    }
    return list;
  });
}

/**
 * The states that a message may end in. The strongest report decides: a bounce, then an arrival, then none. What the
 * reporter had no answer to may count or not.
 */
export function possibleStates(message: Message): Set<State> {
  if (of.takesOf(message).length === 0) return new Set(['failed']);
  const sure = message.reports.filter(({ result }) => result === 'ok');
  const states = new Set<State>();
  if (has(message.reports, of.isBounce)) states.add('bounced');
  if (has(sure, of.isBounce)) return states;
  if (has(message.reports, of.isArrival)) states.add('delivered');
  if (!has(sure, of.isArrival)) states.add('failed');
  return states;
}

const has = (reports: readonly Act<'report'>[], is: (kind: ReportKind) => boolean): boolean =>
  reports.some(({ value, result }) => result !== 'fail' && is(value.kind));

/** Addresses that mail may have been stopped for: blocked, or reported so. */
function blockedAddresses({ blocks, messages }: Workspace): Set<string> {
  const found = new Set(blocks.filter(({ result }) => result !== 'fail').map(({ value }) => addressOf(value.to)));
  for (const message of messages) {
    if (has(message.reports, mayStop)) found.add(addressOf(of.recipientOf(message) ?? ''));
  }
  return found;
}

/** A mailbox that is full again and again counts as gone. */
const mayStop = (kind: ReportKind): boolean => of.isHard(kind) || kind === 'complaint' || kind === 'full';

interface Ended {
  message: Message;
  final: FinalMessage;
  blocked: ReadonlySet<string>;
}

function wrongReason(run: Run, workspace: Workspace, ended: Ended): string | null {
  const { final, message } = ended;
  const reason = final.reason ?? '';
  if (final.state === 'delivered') return final.reason === null ? null : 'what arrived has no reason.';
  if (reason === '') return 'it needs a reason.';
  if (final.state === 'bounced') return null;
  const isTaken = of.takesOf(message).length > 0;
  return isTaken ? wrongAfterTake(run, message, reason) : wrongWithoutTake(run, workspace, ended, reason);
}

/** Without an arrival or a bounce only two things end a mail that was taken. */
function wrongAfterTake({ slack }: Run, message: Message, reason: string): string | null {
  const expired = message.reports.filter(({ value, result }) => value.kind === 'expired' && result !== 'fail');
  if (reason.startsWith(TEXTS.exhausted)) return expired.length > 0 ? null : 'nobody reported that it expired.';
  if (reason !== TEXTS.noRecord) return 'the sending server took it.';
  const waitEnds = (of.takesOf(message)[0]?.at ?? 0) + slack.evidence - slack.late;
  return expired.some(({ end }) => end < waitEnds) ? 'it was reported as expired.' : null;
}

function wrongWithoutTake(run: Run, workspace: Workspace, { message, blocked }: Ended, reason: string): string | null {
  const { attempts } = message;
  // Cut off after the fence: whether the mail was taken cannot be known then.
  if (reason === TEXTS.noRecord) {
    return run.faultTimes.any(of.sentAt(message) - run.slack.late, Infinity) ? null : 'it was never handed over.';
  }
  if (reason.startsWith(TEXTS.exhausted)) return wrongExhaustion(run, message);
  if (BLOCKED_TEXTS.includes(reason)) {
    return blocked.has(addressOf(of.recipientOf(message) ?? '')) || !of.recipientOf(message)
      ? null
      : 'nobody blocked the recipient.';
  }
  if (reason === TEXTS.noCoins) return leastPossible(run, workspace) < 1 ? null : 'there were coins all the time.';
  if (reason === TEXTS.cancelled) return isCancelled(workspace, message) ? null : 'nobody cancelled it.';
  if (UNEXPLAINED_TEXTS.includes(reason)) return 'nothing in the history explains it.';
  return attempts.some(isPermanent) ? null : 'the sending server never refused it for good.';
}

function isCancelled({ more }: Workspace, { origin }: Message): boolean {
  if (origin?.by.f !== 'campaign') return false;
  const { campaign } = origin.by.value;
  return more.move.some(
    ({ value, result }) => value.move === 'cancel' && value.campaign === campaign && result !== 'fail',
  );
}

/** Given up after three days of refusals, not before. */
function wrongExhaustion({ faultTimes, slack }: Run, message: Message): string | null {
  const refusals = message.attempts.filter((attempt) => isRefused(attempt) && !isPermanent(attempt));
  const [first, last] = [refusals[0], refusals.at(-1)];
  if (!first || !last) return 'the sending server never refused it for the time being.';
  // Attempts before the first refusal, which nobody saw, begin the three days.
  const begin = faultTimes.any(of.sentAt(message), first.at) ? of.sentAt(message) : first.at;
  // Nor did anybody see attempts in a fault after the last one.
  if (faultTimes.any(last.at, begin + RETRIES_END)) return null;
  return last.at - begin < RETRIES_END - HOUR - slack.late ? 'it was given up before three days.' : null;
}
