import type { Act } from './acts';
import type { Acts, ReportKind } from './history';
import type { Finding } from './finding';
import type { Slack } from './rules';
import type { Times } from './times';

export type FinalMessage = Acts['final'][1]['messages'][number];
export type Attempt = Act<'take'> | Act<'refuse'>;

/** All that was done to one message. */
export interface Message {
  id: string;
  /** Null as long as nobody said whose it is. */
  workspace: number | null;
  /** Sends that were answered with it, or the unknown one that it must come from. */
  sends: Act<'send'>[];
  /** The campaign, journey or form that it must come from, where it was not sent by itself. */
  origin: Origin | null;
  /** What the sending server saw of it. */
  attempts: Attempt[];
  reports: Act<'report'>[];
  opens: Act<'open'>[];
  clicks: Act<'click'>[];
  pages: Act<'page'>[];
  final: FinalMessage | null;
}

/** What makes mail by itself. */
export interface Origin {
  /** Since when it may; ms. */
  at: number;
  to: string;
  by: Act<'campaign'> | Act<'enroll'> | Act<'join'> | Act<'confirm'>;
  /** The journey that was entered so. */
  journey: number | null;
}

export interface Hook {
  name: string;
  workspace: number;
  subscribe: Act<'subscribe'>;
  delivers: Act<'deliver'>[];
  /** When it may have been deleted; Infinity when never. */
  droppedAt: number;
}

/** What is known of a workspace, the part of a run that is judged by itself. */
export interface Workspace {
  id: number;
  accounts: Act<'account'>[];
  sends: Act<'send'>[];
  topUps: Act<'top-up'>[];
  balances: Act<'balance'>[];
  blocks: Act<'block'>[];
  finals: Act<'final'>[];
  hooks: Hook[];
  messages: Message[];
  more: More;
}

/** What is told of campaigns, journeys, audiences and sales. */
export const MORE = [
  ...(['join', 'confirm', 'campaign', 'move', 'progress', 'journey', 'enroll', 'sale', 'export'] as const),
] as const;
export type MoreName = (typeof MORE)[number];
export type More = { [F in MoreName]: Act<F>[] };

/** A history, split. */
export interface Run {
  lines: number;
  workspaces: Map<number, Workspace>;
  messages: Map<string, Message>;
  hooks: Map<string, Hook>;
  faults: Act<'fault'>[];
  faultTimes: Times;
  audits: Act<'audit'>[];
  problems: Finding[];
  slack: Slack;
}

const HARD: readonly ReportKind[] = ['unknown', 'disabled'];
const BOUNCES: readonly ReportKind[] = [...HARD, 'full', 'blocked', 'spam'];
export const isHard = (kind: ReportKind): boolean => HARD.includes(kind);
export const isBounce = (kind: ReportKind): boolean => BOUNCES.includes(kind);
/** Reports that the mail arrived. */
export const isArrival = (kind: ReportKind): boolean => kind === 'delivered' || kind === 'complaint';

/** Mails that the sending server has, or may have. */
export const takesOf = ({ attempts }: Message): Act<'take'>[] =>
  attempts.filter((attempt): attempt is Act<'take'> => attempt.f === 'take' && attempt.result !== 'fail');

/** When the message was asked for at the earliest; ms. */
export const sentAt = ({ sends, origin }: Message): number =>
  sends.reduce((least, { at }) => Math.min(least, at), origin?.at ?? Infinity);

/** The subject that the sending server saw; undefined: nobody told. */
export const subjectOf = ({ attempts }: Message): string | undefined =>
  attempts.flatMap((attempt) => (attempt.f === 'take' ? (attempt.value.shown?.subject ?? []) : []))[0];

/** To whom it was asked to go; null when nobody asked for it. */
export const recipientOf = ({ sends, origin, attempts, final }: Message): string | null =>
  // In the end a deleted contact has no address any more.
  sends[0]?.value.to ?? origin?.to ?? (final?.to || attempts[0]?.value.to || null);
