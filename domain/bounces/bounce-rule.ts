import type { BounceClass } from './bounce-class';

/** One rule, as the rule files hold it. It fits when a code and a text of it do, and none of `unless`. */
export interface BounceRule {
  /** Its name. */
  rule: string;
  class: BounceClass;
  /**
   * Any of these codes: an enhanced one (`5.2.2`; `x.2.2` for 4.2.2 and 5.2.2), a reply code (`552`), or `4` or `5` for
   * every code of that class.
   */
  code?: readonly string[];
  /** Any of these phrases, in lower case. ` * ` stands for at most 80 characters. */
  text?: readonly string[];
  /** None of these phrases. */
  unless?: readonly string[];
  /** Says of this rule alone whether it is a hard bounce; otherwise its class does. */
  hard?: boolean;
  /** A refusal that the rule is for. */
  sample: string;
}

/** What a refusal was read as. */
export interface Classified {
  class: BounceClass;
  /** True when the address, its domain or its mailbox is gone for good. */
  hard: boolean;
  /** The rule that decided; null when none did. */
  rule: string | null;
}
