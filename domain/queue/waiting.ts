import { HOLD } from '../campaigns/campaign-run';
import { RELEASED } from '../destinations/destination-state';
import { warmupOfHeld } from '../warmup/warmup-state';
import type { Message } from '../messages/message';

/** What currently keeps an account from sending, and until when, ms. */
export interface Pace {
  by: 'rate' | 'workspace_day_cap' | 'platform_day_cap';
  until: number;
}

/** What a message that is not final is waiting for. */
export interface Wait {
  for:
    | 'retry'
    | 'turn'
    | 'schedule'
    | 'resumption'
    | 'destination'
    | Pace['by']
    | 'hand_off'
    | 'answer'
    | 'evidence'
    | 'report';
  /** The part of the program that will move it on. */
  owner: 'throttle' | 'dispatch' | 'mta-feedback';
  /** When that happens at the latest (for a queued message: at the earliest), ms. */
  until: number | null;
  text: string;
}

const PACE_TEXTS: Record<Pace['by'], string> = {
  rate: 'the send rate per minute of the account is used up',
  workspace_day_cap: 'the daily limit of the free account is used up (WIB)',
  platform_day_cap: 'the daily limit of the installation is reached (WIB)',
};

/**
 * What a message is waiting for at `now`, given what limits its workspace; null when it is final
 * (docs/architecture.md#pacing-and-claim, docs/architecture.md#feedback).
 */
export function waitOf(message: Message, now: number, pace: Pace | null): Wait | null {
  switch (message.status) {
    case 'queued':
      return queuedWait(message, now, pace);
    case 'sending':
      return sendingWait(message);
    case 'sent_to_mta':
      return {
        for: 'report',
        owner: 'mta-feedback',
        until: message.dueAt,
        text: 'its delivery report; without one it fails then, with a refund',
      };
    case 'delivered':
    case 'bounced':
    case 'failed':
      return null;
  }
}

function queuedWait({ dueAt, attempt, sendAt, heldFor }: Message, now: number, pace: Pace | null): Wait {
  if (dueAt !== null && dueAt >= HOLD) {
    return { for: 'resumption', owner: 'throttle', until: null, text: 'its campaign, which is paused' };
  }
  if (dueAt !== null && dueAt > now && heldFor !== null && heldFor !== RELEASED) {
    return { for: 'destination', owner: 'throttle', until: dueAt, text: heldText(heldFor) };
  }
  if (dueAt !== null && dueAt > now) {
    if (attempt === 0 && sendAt !== null) {
      return { for: 'schedule', owner: 'throttle', until: dueAt, text: 'its scheduled time' };
    }
    const text = attempt > 0 ? `attempt ${attempt + 1}, after the last one was deferred` : 'its turn';
    return { for: attempt > 0 ? 'retry' : 'turn', owner: 'throttle', until: dueAt, text };
  }
  if (pace) return { for: pace.by, owner: 'throttle', until: pace.until, text: PACE_TEXTS[pace.by] };
  return { for: 'turn', owner: 'throttle', until: null, text: 'its turn, as soon as the service runs' };
}

function heldText(heldFor: string): string {
  const warmup = warmupOfHeld(heldFor);
  if (warmup) return `its day in the warm-up of ${warmup.domain} at ${warmup.destination}`;
  return `its turn at ${heldFor.split(' ')[0]}`;
}

function sendingWait({ fence, unknown, dueAt }: Message): Wait {
  if (unknown) {
    return {
      for: 'evidence',
      owner: 'mta-feedback',
      until: dueAt,
      text: 'evidence that the sending server accepted it; without evidence it fails then, with a refund',
    };
  }
  if (fence !== null) {
    return { for: 'answer', owner: 'dispatch', until: dueAt, text: 'the response of the sending server' };
  }
  return { for: 'hand_off', owner: 'dispatch', until: dueAt, text: 'the hand-off to the sending server' };
}
