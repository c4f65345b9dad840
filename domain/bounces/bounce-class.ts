/**
 * What a refusal means (docs/bounces.md#classes), strongest first: of several reports about one message the strongest
 * class stays, in whatever order they come.
 */
export const BOUNCE_CLASSES = [
  'address_unknown',
  'domain_unknown',
  'mailbox_disabled',
  'mailbox_full',
  'sender_blocked',
  'policy',
  'content_refused',
  'mail_too_large',
  'rate_limited',
  'expired',
  'temporary_trouble',
  'automatic_answer',
  'unknown',
] as const;
export type BounceClass = (typeof BOUNCE_CLASSES)[number];

/** Classes that say that mail to the address will never arrive. A refusal of one that is not hard leaves doubt. */
export const HARD_CLASSES = ['address_unknown', 'domain_unknown', 'mailbox_disabled'] as const satisfies BounceClass[];
const HARD: ReadonlySet<BounceClass> = new Set(HARD_CLASSES);

/**
 * True when the class is a hard bounce unless its rule or the code leaves doubt (docs/contract.md#classes-of-bounces).
 */
export const isHardClass = (bounceClass: BounceClass): boolean => HARD.has(bounceClass);

/** True when class `a` is stronger than `b`; anything is stronger than null. */
export const isStronger = (a: BounceClass, b: BounceClass | null): boolean =>
  b === null || BOUNCE_CLASSES.indexOf(a) < BOUNCE_CLASSES.indexOf(b);
