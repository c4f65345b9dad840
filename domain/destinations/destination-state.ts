import { DAY, MINUTE } from '../../lib/clock';
import type { ReplyRule } from './rules-file';

/** How long a pace that was halved lasts until it doubles again after a stop, ms. */
const AFTER_STOP = 30 * MINUTE;
/** No pace is slowed further than to this share. */
const SLOWEST = 1 / 32;
/** Mails that were under way when the pace changed are refused too: for so long they change it no further, ms. */
const COOL_DOWN = MINUTE;

/** What one process changes is seen by the others after this, ms of real time. */
export const SEEN_AFTER = 500;

/** Why a destination is slowed or stopped. */
export interface DestinationReason {
  /** The rule for the reply. */
  rule: string;
  /** The server's words, without addresses. */
  reply: string;
  messageId: string;
  at: number;
}

/**
 * What follows from the answers of a destination. The id of the entry is the name of the destination, or `<name>
 * <workspace>` where only one workspace is stopped. Without an entry it has its full pace.
 */
export interface DestinationState {
  /** Share of the limits that is in force until `factorUntil`; then it doubles every `factorFor` ms, up to 1. */
  factor: number;
  factorUntil: number;
  factorFor: number;
  stoppedUntil: number | null;
  why: DestinationReason | null;
}

export const NEW_DESTINATION: DestinationState = {
  factor: 1,
  factorUntil: 0,
  factorFor: AFTER_STOP,
  stoppedUntil: null,
  why: null,
};

/** The id of the entry for a workspace at a destination. */
export const ownState = (destination: string, workspaceId: number): string => `${destination} ${workspaceId}`;

/** What a message that an operator let go says instead of the entry that it waited for. */
export const RELEASED = '-';

/** The destination of an entry, and the workspace if it is for one only. */
export function partsOfState(id: string): { destination: string; workspaceId: number | null } {
  const [destination = '', workspace] = id.split(' ');
  return { destination, workspaceId: workspace === undefined ? null : Number(workspace) };
}

export const isStopped = ({ stoppedUntil }: DestinationState, now: number): boolean =>
  stoppedUntil !== null && stoppedUntil > now;

/** The share of its limits that a destination gets now. */
export function factorNow({ factor, factorUntil, factorFor }: DestinationState, now: number): number {
  if (now < factorUntil) return factor;
  return Math.min(1, factor * 2 ** (1 + Math.floor((now - factorUntil) / factorFor)));
}

/** When the full pace is in force again, ms; a time that has passed when it is. */
export function fullPaceAt({ factor, factorUntil, factorFor, stoppedUntil }: DestinationState): number {
  const steps = Math.max(0, Math.ceil(-Math.log2(factor)) - 1);
  return Math.max(stoppedUntil ?? 0, factor === 1 ? 0 : factorUntil + steps * factorFor);
}

/** When an entry is of no use any more, ms. */
export const expiryOf = (state: DestinationState, now: number): number => Math.max(now, fullPaceAt(state)) + DAY;

/**
 * The state after a reply that a rule is for; null when it changes nothing: the mail was handed over before the last
 * change, or just after it. `sentAt` ms.
 */
export function afterReply(
  state: DestinationState,
  { rule, why, sentAt }: { rule: Pick<ReplyRule, 'do' | 'minutes'>; why: DestinationReason; sentAt: number },
): DestinationState | null {
  const now = why.at;
  if (isStopped(state, now) || (state.why !== null && sentAt < state.why.at)) return null;
  if (rule.do === 'slow' && state.why !== null && now < state.why.at + COOL_DOWN) return null;
  const until = now + rule.minutes * MINUTE;
  const factor = Math.max(SLOWEST, factorNow(state, now) / 2);
  if (rule.do === 'slow') return { ...state, why, factor, factorUntil: until, factorFor: rule.minutes * MINUTE };
  return { ...state, why, factor, factorUntil: until + AFTER_STOP, factorFor: AFTER_STOP, stoppedUntil: until };
}

/** An operator ends stop and slowness by hand. Its words stay, so that what was under way changes nothing. */
export const resumed = (state: DestinationState, now: number): DestinationState => ({
  ...state,
  factor: 1,
  factorUntil: now,
  stoppedUntil: null,
  why: state.why && { ...state.why, at: now },
});
