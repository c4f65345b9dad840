import { DAY, HOUR } from '../../lib/clock';
import type { Conversion, ConversionLink } from './conversion';

/** How long before a sale its click may have been, ms. A click of exactly that age counts. */
export const ATTRIBUTION_WINDOW = 7 * DAY;

/** How long a sale waits for the record of its click, from its receipt, ms. */
export const LINKED_WITHIN = HOUR;

/** The kind of due work that looks at a sale for the last time. Its id is that of the conversion. */
export const CONVERSION_WORK = 'conversion';

/** A click on a tracked link. */
export interface Click {
  /** The id of its signal. */
  id: string;
  messageId: string;
  /** ms */
  at: number;
  /** The place of its destination in the links of the message; null if that is not known. */
  link: number | null;
  /** Why it is taken for a machine's; null for a person's. */
  machine: string | null;
}

/** Why a click is not the one that a sale is linked to. */
export type PassedOver =
  'a later click was chosen' | 'after the sale' | 'more than 7 days before the sale' | `a machine: ${string}`;

/** A click that was passed over, and why. */
export interface PassedOverClick {
  click: Click;
  why: PassedOver;
}

/** The decision about a sale, with its reasons. */
export interface Attribution {
  /** Null when no click qualifies. */
  chosen: Click | null;
  /** Newest first. */
  passedOver: PassedOverClick[];
}

/** The times of clicks that a sale may be linked to, ms, both included. */
export const clickPeriod = ({ occurredAt }: Pick<Conversion, 'occurredAt'>): { from: number; to: number } => ({
  from: occurredAt - ATTRIBUTION_WINDOW,
  to: occurredAt,
});

/** The times of sales that a click may lead to, ms, both included. */
export const salePeriod = ({ at }: Pick<Click, 'at'>): { from: number; to: number } => ({
  from: at,
  to: at + ATTRIBUTION_WINDOW,
});

/** Why a click cannot be what led to a sale, by itself; null if it can. */
function disqualified(sale: Pick<Conversion, 'occurredAt'>, { at, machine }: Click): PassedOver | null {
  const { from, to } = clickPeriod(sale);
  if (at > to) return 'after the sale';
  if (at < from) return 'more than 7 days before the sale';
  return machine === null ? null : `a machine: ${machine}`;
}

/** True for a click that a sale may be linked to, if there is no later one. */
export const qualifies = (sale: Pick<Conversion, 'occurredAt'>, click: Click): boolean =>
  disqualified(sale, click) === null;

/** The order of clicks: by time; of two at the same time the greater id is the later one. */
export const byTime = (a: Pick<Click, 'at' | 'id'>, b: Pick<Click, 'at' | 'id'>): number =>
  a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id));

/** True when a sale with this link may move to the click: a link only moves to a later click. */
export const isLater = (click: Pick<Click, 'at' | 'id'>, link: ConversionLink | null): boolean =>
  link === null || byTime(click, { at: link.clickedAt, id: link.clickId }) > 0;

/** The clicks, without the flag of the one that a sale is linked to: a flag that comes later takes nothing back. */
export const keepLinked = (clicks: readonly Click[], link: ConversionLink | null): Click[] =>
  clicks.map((click) => (click.id === link?.clickId ? { ...click, machine: null } : click));

/**
 * Links a sale to the last qualifying one of these clicks: those of the message it names, or those of all messages to
 * its contact (docs/contract.md#attribution). The clicks may be in any order.
 */
export function attribute(sale: Pick<Conversion, 'occurredAt'>, clicks: readonly Click[]): Attribution {
  const newestFirst = [...clicks].sort((a, b) => byTime(b, a));
  const chosen = newestFirst.find((click) => qualifies(sale, click)) ?? null;
  const others = newestFirst.filter(({ id }) => id !== chosen?.id);
  return {
    chosen,
    passedOver: others.map((click) => ({
      click,
      why: disqualified(sale, click) ?? 'a later click was chosen',
    })),
  };
}
