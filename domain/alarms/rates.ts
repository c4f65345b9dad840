import { DAY, HOUR } from '../../lib/clock';
import { hourOf } from '../engagement/engagement';
import { SENT_STATUSES, type MessageHour } from '../messages/message-hour';
import type { Trouble } from './alarm';

/** Days whose mail is looked at: complaints come late. */
const DAYS = 3;

/**
 * Complaints of delivered mail. Google asks bulk senders to stay below 0.10 % and never to reach 0.30 %
 * (https://support.google.com/mail/answer/81126), Yahoo to stay below 0.3 %
 * (https://senders.yahooinc.com/best-practices/).
 */
const COMPLAINTS = { above: 0.001, least: 1_000 };
/** Hard bounces of sent mail: no provider has published a limit, 2 % is the convention of sending services. */
const HARD_BOUNCES = { above: 0.02, least: 200 };

/** Fewer complaints, or hard bounces, are never too many. */
export const FEWEST = {
  complained: Math.ceil(COMPLAINTS.least * COMPLAINTS.above),
  hard: Math.ceil(HARD_BOUNCES.least * HARD_BOUNCES.above),
};

/** The time whose hours `judgeRates` needs, and since when hard bounces are counted, ms. */
export function ratesTime(now: number): { from: number; to: number; hardSince: number } {
  const to = hourOf(now) + HOUR;
  return { from: to - DAYS * DAY, to, hardSince: to - DAY };
}

/**
 * What is too much of the mail of a workspace: complaints of the mail of one of the last three days, and hard bounces
 * of the last one, by when it was accepted. With few mails there is no rate.
 */
export function judgeRates(
  workspace: { id: number; name: string },
  hours: readonly MessageHour[],
  hard: number,
  now: number,
): Trouble[] {
  const { from, to } = ratesTime(now);
  const days = Array.from({ length: DAYS }, (_, n) => {
    const own = hours.filter(({ hour }) => hour >= to - (n + 1) * DAY && hour < to - n * DAY);
    const sum = (count: (of: MessageHour) => number): number => own.reduce((all, of) => all + count(of), 0);
    return {
      complained: sum((of) => of.complained),
      delivered: sum((of) => of.delivered),
      sent: sum((of) => SENT_STATUSES.reduce((all, status) => all + of[status], 0)),
    };
  });
  const of = { subject: String(workspace.id), workspaceId: workspace.id };
  const worst = days
    .filter(({ delivered, complained }) => isAbove(COMPLAINTS, complained, delivered))
    .sort((a, b) => b.complained / b.delivered - a.complained / a.delivered)[0];
  const sent = days[0]?.sent ?? 0;
  const span = Math.round((to - from) / DAY);
  return [
    ...(worst
      ? [
          {
            ...of,
            kind: 'complaints' as const,
            text: `Workspace ${workspace.name}: ${share(worst.complained, worst.delivered)} of the emails delivered on one of the last ${span} drew complaints (${worst.complained} of ${worst.delivered}). Above 0.1 %, mailbox providers start to block.`,
          },
        ]
      : []),
    ...(isAbove(HARD_BOUNCES, hard, sent)
      ? [
          {
            ...of,
            kind: 'hard_bounces' as const,
            text: `Workspace ${workspace.name}: ${share(hard, sent)} of the emails of the last day hard bounced (${hard} of ${sent}). Above 2 %, the list is outdated or was bought.`,
          },
        ]
      : []),
  ];
}

const isAbove = (limit: { above: number; least: number }, count: number, of: number): boolean =>
  of >= limit.least && count > of * limit.above;

const share = (count: number, of: number): string => `${((count / of) * 100).toFixed(2)} %`;
