import type { BounceClass } from '../bounces/bounce-class';

/** Limits of the mail to one destination, as the rules hold them; each may be left out. */
export interface WrittenLimits {
  per_minute?: number;
  per_hour?: number;
  /** Where the numbers come from. */
  source: string;
}

/** A provider behind the domains of recipients. */
export interface WrittenDestination extends WrittenLimits {
  /** `google`, without a dot, so that it is never a domain. */
  name: string;
  title: string;
  /** Domains known without asking the DNS. */
  domains?: readonly string[];
  /** Domains that hold the hosts of its MX records. */
  mx?: readonly string[];
}

/** What a reply of a server means for the mail that follows; the first rule that fits decides. */
export interface ReplyRule {
  name: string;
  /** Only of this destination. */
  destination?: string;
  /** Any of these codes (docs/bounces.md#rules), any of these phrases, none of `unless`, and this class. */
  code?: readonly string[];
  text?: readonly string[];
  unless?: readonly string[];
  class?: BounceClass;
  /**
   * `slow`: half the pace; `stop`: nothing to this destination; `stop_workspace`: nothing of this workspace to it;
   * `nothing`: no rule after it counts.
   */
  do: 'slow' | 'stop' | 'stop_workspace' | 'nothing';
  /** For how long. */
  minutes: number;
  /** A reply that the rule is for. */
  sample: string;
  source: string;
}

/** The rules of pacing by destination, as a file holds them (docs/deliverability.md#rules-of-destinations). */
export interface DestinationFile {
  destinations: readonly WrittenDestination[];
  /** The limits of every other domain. */
  others: WrittenLimits;
  /** What half is half of where a destination has no limit a minute. */
  slowed_from: { per_minute: number; source: string };
  replies: readonly ReplyRule[];
}
