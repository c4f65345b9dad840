/**
 * Mails a WIB day to one destination, day by day. Convention: the schedule that senders publish for new addresses, as
 * https://www.braze.com/docs/user_guide/message_building_by_channel/email/email_setup/ip_warming; no receiver publishes
 * one.
 */
const VOLUMES = [
  ...[50, 100, 500, 1_000, 5_000, 10_000, 20_000, 40_000, 70_000, 100_000, 150_000, 250_000, 400_000, 600_000],
  ...[1_000_000, 2_000_000],
];

/** What ends a warm-up unless another goal is given, mails a day to one destination. */
export const USUAL_GOAL = 40_000;

/** The volumes of a plan, ascending, the last one is the goal. */
export const volumesTo = (goal: number): number[] => [...VOLUMES.filter((volume) => volume < goal), goal];

/**
 * A day is clean below these shares of its mails. Complaints: https://support.google.com/a/answer/81126 (keep below
 * 0.1 %). Bounces: convention, below the 5 % from which Amazon SES reviews a sender,
 * https://docs.aws.amazon.com/ses/latest/dg/faqs-enforcement.html. Deferrals: convention.
 */
export const CLEAN_BELOW = { deferred: 0.05, bounced: 0.02, complained: 0.001 } as const;

/** From this share of refusals that blame the sender on, a day is bad. Convention: a list of well-chosen has none. */
const BAD_FROM = 0.01;

/**
 * Share of its volume that a day must have sent to tell anything. Below the share that campaigns may take, so that
 * they alone can warm up.
 */
const ENOUGH = 0.75;

/** What happened to mails, by the day on which it was seen. */
export interface WarmupCounts {
  /** Those that took room. */
  sent: number;
  /** Of them, what no server took or another one did. */
  unsent: number;
  deferred: number;
  bounced: number;
  complained: number;
  /** Refusals that blame the sender. */
  refused: number;
}

/** A WIB day at one destination, and what it was allowed. */
export interface WarmupDay extends WarmupCounts {
  day: string;
  volume: number;
}

/** `little`: too few mails to tell anything. */
export type Verdict = 'clean' | 'little' | 'not clean' | 'bad';

/** Mails that went on a day. */
export const wentOn = ({ sent, unsent }: Pick<WarmupCounts, 'sent' | 'unsent'>): number => Math.max(0, sent - unsent);

/** What a day that is over means for the next one. */
export function verdictOf({ refused, ...counts }: WarmupDay): Verdict {
  const { volume } = counts;
  const sent = wentOn(counts);
  const mails = Math.max(1, sent);
  // A late refusal on a day with little mail says nothing of the volume.
  if (refused / Math.max(mails, volume * ENOUGH) >= BAD_FROM) return 'bad';
  const isAbove = (['deferred', 'bounced', 'complained'] as const).some(
    (what) => counts[what] / mails >= CLEAN_BELOW[what],
  );
  if (isAbove) return 'not clean';
  return sent >= volume * ENOUGH ? 'clean' : 'little';
}

/**
 * The volume of the day after: the next of the plan, the same, or half of what was sent; null when the goal was
 * reached.
 */
export function nextVolume(
  volumes: readonly number[],
  { volume, ...counts }: Pick<WarmupDay, 'volume' | 'sent' | 'unsent'>,
  verdict: Verdict,
): number | null {
  if (verdict === 'bad') return Math.max(volumes[0] ?? 1, Math.floor(Math.min(volume, wentOn(counts)) / 2));
  if (verdict !== 'clean') return volume;
  return volumes.find((next) => next > volume) ?? null;
}
