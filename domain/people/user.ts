/**
 * Who stands for it that an account is that of the address's owner. `operator`: a link that an operator made was used.
 * `mail`: a link that was only mailed was used. `provider`: an OpenID provider says that the address is verified.
 */
export type Voucher = 'operator' | 'mail' | 'provider';

/** Who may sign in. The id of the entry is the address, in its canonical spelling. */
export interface UserBody {
  name: string | null;
  /** Runs the installation: may do all. */
  operator: boolean;
  /** `scrypt$N$r$p$salt$hash`; null until one is chosen, and for people who sign in another way. */
  password: string | null;
  /**
   * The second factor; null while there is none. `last` is the last step that was used, so that no code works twice.
   */
  totp: { sealed: string; last: number } | null;
  /** Keyed hashes of the recovery codes that are left. */
  recovery: readonly string[];
  createdAt: number;
  disabledAt: number | null;
  /** Left out while nobody vouches for it. */
  trust?: { by: Voucher; at: number };
  /** Counts how often everything that lets the person in has ended (domain/people/account-trust.ts). */
  epoch?: number;
}
