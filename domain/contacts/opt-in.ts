import { DAY } from '../../lib/clock';
import type { OptInMode } from './audience';
import { refusingStatus, type Contact, type ContactStatus } from './contact';
import { derivedId } from '../derived-id';
import type { EntryTrigger } from '../journeys/journey';
import { wibDay, wibDayEnd } from '../wib';

/** Where a consent was given (docs/contract.md#consent). */
export type ConsentSource = 'form' | 'api' | 'cli' | 'import' | 'confirmation';

/** That a contact agreed to get mail: when (ms), where, and of which audience; null: of the workspace. */
export interface Consent {
  at: number;
  source: ConsentSource;
  audienceId: number | null;
  /** Who said so for the contact, as the audit log names them; left out when the contact did itself. */
  by?: string | undefined;
}

/** The word of whoever adds contacts that each of them has agreed to get mail. `by`: as in Consent; null: unnamed. */
export interface Agreed {
  source: Extract<ConsentSource, 'api' | 'cli' | 'import'>;
  by: string | null;
}

/** The consent of a contact to mail of its workspace, on somebody's word at `at` (ms). */
export const agreedConsent = ({ source, by }: Agreed, at: number): Consent => ({
  at,
  source,
  audienceId: null,
  ...(by !== null && { by }),
});

/** A contact in an audience. All times are ms. */
export interface Membership {
  joinedAt: number;
  /** Null until the member confirmed. */
  confirmedAt: number | null;
  /** When the membership ends unless it is confirmed; null: it does not. */
  pendingUntil: number | null;
  /** How often the member was asked to confirm. */
  asked: number;
  /** True when the public form asked, so that a confirmation counts as a subscription by form. */
  byForm: boolean;
}

/** How long a member may take to confirm, ms (docs/contract.md#double-opt-in). */
export const CONFIRM_WITHIN = 14 * DAY;
/** Confirmation mails to a mailbox (see mailboxOf) on one WIB day: of one workspace, and of all. */
export const CONFIRMATIONS_OF_A_WORKSPACE = 3;
export const CONFIRMATIONS_A_DAY = 10;

/** What a request to join does. */
export interface JoinPlan {
  /** The membership after it. */
  member: Membership;
  /** False: nothing is written. */
  changed: boolean;
  /** The contact was no member before. */
  joined: boolean;
  /** A confirmation mail is due. */
  mail: boolean;
  /** The contact unsubscribed and comes back. */
  resubscribe: boolean;
  /** The time of an earlier consent that this one replaces; null: none. */
  replaces: number | null;
  /** What may make the contact enter journeys. */
  triggers: readonly EntryTrigger[];
}

export interface JoinRequest {
  mode: OptInMode;
  status: ContactStatus;
  /** Null: no member yet. */
  member: Membership | null;
  byForm: boolean;
  at: number;
  /** It is known to have agreed, so it need not confirm. */
  agreed?: boolean;
  /** A pending member that was asked at this time (ms) or later is not asked again. */
  askedSince?: number | undefined;
}

/**
 * What a request to join an audience does (docs/contract.md#double-opt-in). Only the public form brings a contact back
 * that unsubscribed; with double opt-in its confirmation does. `agreed` confirms a subscribed contact at once.
 */
export function planJoin(request: JoinRequest): JoinPlan {
  const { status, member, byForm, at, agreed = false } = request;
  const mode = agreed && status === 'subscribed' ? 'single' : request.mode;
  // Whoever joins is subscribed from then on; only the form also brings one back that left.
  const back = status === 'not_subscribed' || (byForm && status === 'unsubscribed');
  const settled = member !== null && member.confirmedAt !== null;
  // With double opt-in, only the mailbox itself may start anything.
  const byFormNow: readonly EntryTrigger[] = mode === 'single' && byForm ? ['form_subscribe'] : [];
  if (settled && !back) return { ...NOTHING, member, triggers: byFormNow };
  const before = member ?? { joinedAt: at, confirmedAt: null, pendingUntil: null, asked: 0, byForm: false };
  if (mode === 'double') return planToAsk(request, before);
  const confirmed = { ...before, confirmedAt: before.confirmedAt ?? at, pendingUntil: null };
  const triggers: EntryTrigger[] = [...(settled ? [] : (['audience_join'] as const)), ...byFormNow];
  return { ...NOTHING, member: confirmed, changed: true, joined: member === null, resubscribe: back, triggers };
}

/**
 * What a line of a file does to the membership of a contact: it makes a member, or with `agreed` confirms one that
 * waits. Null: nothing changes, so that a file may be read again.
 */
export function planImport(request: Omit<JoinRequest, 'byForm' | 'askedSince'>): JoinPlan | null {
  const plan = planJoin({ ...request, byForm: false });
  return plan.joined || (plan.changed && plan.member.confirmedAt !== null) ? plan : null;
}

/**
 * True for a contact that is subscribed although a file shows that it is not: it keeps its status, and joins nothing.
 */
export const contradicts = (row: Pick<Contact, 'status'>, known: Pick<Contact, 'status'>): boolean =>
  known.status === 'subscribed' && row.status !== 'subscribed';

const NOTHING = { changed: false, joined: false, mail: false, resubscribe: false, replaces: null, triggers: [] };

/** Asks a member to confirm, unless it was asked since `askedSince`. */
function planToAsk({ status, member, byForm, at, askedSince = Infinity }: JoinRequest, before: Membership): JoinPlan {
  const last = before.pendingUntil === null ? null : before.pendingUntil - CONFIRM_WITHIN;
  if (last !== null && last >= askedSince && !isExpired(before, at)) return { ...NOTHING, member: before };
  const asks: Membership = {
    joinedAt: before.joinedAt,
    confirmedAt: null,
    pendingUntil: at + CONFIRM_WITHIN,
    asked: before.asked + 1,
    byForm: byForm || (last !== null && before.byForm),
  };
  const mail = refusingStatus(status) === null || (byForm && status === 'unsubscribed');
  return { ...NOTHING, member: asks, changed: true, joined: member === null, mail, replaces: last };
}

/** `expired`: the time to confirm is over, or there is no such member any more. `before`: it was confirmed earlier. */
export type ConfirmState = 'pending' | 'before' | 'expired';

/**
 * What a confirmation link means at `now` (ms). Null: no member. The clock decides, also when the row is still there.
 */
export function confirmState(member: Membership | null, contact: ConsentState, now: number): ConfirmState {
  if (member === null || isExpired(member, now) || hasLeft(member, contact)) return 'expired';
  return member.confirmedAt === null ? 'pending' : 'before';
}

type ConsentState = Pick<Contact, 'status' | 'unsubscribedAt'>;

/** True for a contact that unsubscribed and did not ask by the form since then: no old link brings it back. */
export function hasLeft({ confirmedAt, pendingUntil, byForm }: Membership, contact: ConsentState): boolean {
  if (contact.status !== 'unsubscribed') return false;
  if (confirmedAt !== null || pendingUntil === null || !byForm) return true;
  return pendingUntil - CONFIRM_WITHIN < (contact.unsubscribedAt ?? 0);
}

/** What a confirmation may make the contact enter. */
export const confirmTriggers = ({ byForm }: Membership): EntryTrigger[] =>
  byForm ? ['audience_join', 'form_subscribe'] : ['audience_join'];

/** True when the membership is over because it was not confirmed in time. */
export const isExpired = ({ confirmedAt, pendingUntil }: Membership, now: number): boolean =>
  confirmedAt === null && pendingUntil !== null && pendingUntil <= now;

/** The beginning of the idempotency keys of all confirmation mails of a form to a contact. */
export const confirmationKeys = (audienceId: number, contactId: number): string =>
  `confirm:${audienceId}:${contactId}:`;

/** Due work: the confirmation mail of one request, `<audience>:<contact>:<request>`. */
export const CONFIRM_MAIL = 'confirm-mail';
/** Due work: the end of a membership that was not confirmed, `<audience>:<contact>`. */
export const CONFIRM_EXPIRY = 'confirm-expiry';

/**
 * The id of the `n`th confirmation mail (from 1) to a mailbox, by the hash of its address, on the WIB day of `at` (ms):
 * a UUIDv7 whose time is the start of the day. Since ids are unique, a mailbox gets no more than ten a day, whichever
 * process sends them.
 */
export function confirmationMessageId(mailboxHash: string, at: number, n: number): string {
  const day = wibDay(at);
  return derivedId(wibDayEnd(day)! - DAY, `confirmation ${n} of ${day} to ${mailboxHash}`);
}
