import { DAY } from '../../lib/clock';

/** What the brake of a public form knows (docs/forms.md#the-brake-of-a-form). Times are ms. */
export interface FormAutoPause {
  /** Confirmation mails that bounced hard: those that count at most. */
  bounces: readonly FormBounce[];
  /** Since when the form sends no confirmation mails; null: it sends them. */
  pausedAt: number | null;
  /** Bounces up to this time count no more: the form was resumed then. */
  since: number;
}

/** A confirmation mail that bounced hard, and when. */
export interface FormBounce {
  messageId: string;
  at: number;
}

/** As many hard bounces of confirmation mails within 24 hours pause the mails of the form. */
export const FORM_BOUNCES = 5;

export const NO_FORM_AUTO_PAUSE: FormAutoPause = { bounces: [], pausedAt: null, since: 0 };

/** Notes a hard bounce; a message counts once. The same brake when nothing changed. */
export function noteFormBounce(brake: FormAutoPause, bounce: FormBounce): FormAutoPause {
  if (brake.pausedAt !== null || bounce.at <= brake.since) return brake;
  if (brake.bounces.some(({ messageId }) => messageId === bounce.messageId)) return brake;
  const all = [...brake.bounces, bounce].sort((a, b) => a.at - b.at);
  const newest = all.at(-1)!.at;
  const bounces = all.filter(({ at }) => at > newest - DAY);
  return { ...brake, bounces, pausedAt: bounces.length >= FORM_BOUNCES ? newest : null };
}

/** The form sends again; what bounced so far is forgotten. */
export const resumeForm = (at: number): FormAutoPause => ({ ...NO_FORM_AUTO_PAUSE, since: at });
