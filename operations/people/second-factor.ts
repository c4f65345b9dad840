import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { isOfNow } from '../../domain/people/account-trust';
import type { UserBody } from '../../domain/people/user';
import type { Keyring } from '../../domain/keyring';
import { changeUser, type PeopleDeps, type User } from './people';

export type FactorDeps = PeopleDeps & { keyring: Keyring };

/** What every authenticator app can do (RFC 6238). */
const TOTP_FORM = { issuer: 'Kurir', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps that a clock may be wrong by. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Without letters that look like another. Ten of them are 49 bits. */
const RECOVERY_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

const contextOf = (email: string): string => `totp ${email}`;
const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({ ...TOTP_FORM, label, secret: Secret.fromBase32(secret) });

/** A new secret, in base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** The link that hands a secret to an authenticator app: `otpauth://totp/…`. */
export const secretLink = (secret: string, email: string): string => totpOf(secret, email).toString();

/** The step whose code this is, at `at` (ms of real time) or one beside it; null for none. */
function stepOf(secret: string, code: string, at: number): number | null {
  const totp = totpOf(secret, '');
  const delta = totp.validate({ token: code, timestamp: at, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp: at }) + delta;
}

const isTotpForm = (code: string): boolean => /^\d{6}$/.test(code);
/** A code as people type it: with spaces and dashes, in capitals. */
const plain = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase();

const recoveryHash = (keyring: Keyring, email: string, code: string): string =>
  keyring.hash('recovery-codes', `${email} ${plain(code)}`);
/** Everything that may be stored of a code: codes on paper outlive releases. */
const recoveryHashes = (keyring: Keyring, email: string, code: string): string[] => [
  recoveryHash(keyring, email, code),
  keyring.olderHash('recovery-codes', `recovery ${email} ${plain(code)}`),
];

function newCodes(): string[] {
  const letters = (n: number): string =>
    Array.from({ length: n }, () => RECOVERY_LETTERS[randomInt(RECOVERY_LETTERS.length)]).join('');
  return Array.from({ length: RECOVERY_CODES }, () => `${letters(5)}-${letters(5)}`);
}

/**
 * Switches the second factor on once a code of it shows that the app has the secret. That code works no more. Returns
 * the recovery codes, which are not kept; null when the code is wrong, or everything ended since the user's `epoch`.
 */
export async function enableSecondFactor(
  deps: FactorDeps,
  email: string,
  { secret, code, at, epoch }: { secret: string; code: string; at: number; epoch?: number | undefined },
): Promise<string[] | null> {
  const step = stepOf(secret, plain(code), at);
  if (step === null) return null;
  const codes = newCodes();
  const sealed = deps.keyring.seal(secret, contextOf(email));
  const recovery = codes.map((one) => recoveryHash(deps.keyring, email, one));
  const changed = await changeUser(deps, email, (body) =>
    epoch !== undefined && !isOfNow({ epoch }, body) ? null : { ...body, totp: { sealed, last: step }, recovery },
  );
  return changed && codes;
}

/** New recovery codes in place of those that are left; null without a second factor. */
export async function renewRecovery(deps: FactorDeps, email: string): Promise<string[] | null> {
  const codes = newCodes();
  const recovery = codes.map((one) => recoveryHash(deps.keyring, email, one));
  const changed = await changeUser(deps, email, (body) => (body.totp === null ? null : { ...body, recovery }));
  return changed && codes;
}

/** Takes the second factor and its recovery codes away. */
export const removeSecondFactor = (deps: PeopleDeps, email: string): Promise<User | null> =>
  changeUser(deps, email, (body) => ({ ...body, totp: null, recovery: [] }));

/** What was used; of a recovery code how many are left. */
export type UsedFactor = { by: 'code' } | { by: 'recovery code'; left: number };

/**
 * Uses a code of the app or a recovery code. The check and the note that it was used are one change, so that of many
 * with the same code one succeeds. Null when it is wrong or was used.
 */
export async function consumeSecondFactor(
  deps: FactorDeps,
  email: string,
  code: string,
  at: number,
): Promise<UsedFactor | null> {
  const typed = plain(code);
  const decide = isTotpForm(typed)
    ? (body: UserBody) => withStep(body, deps.keyring, { email, code: typed, at })
    : (body: UserBody) => withoutRecovery(body, recoveryHashes(deps.keyring, email, typed));
  const changed = await changeUser(deps, email, decide);
  if (!changed) return null;
  return isTotpForm(typed) ? { by: 'code' } : { by: 'recovery code', left: changed.body.recovery.length };
}

/** Each step counts once, and none before it. */
function withStep(
  body: UserBody,
  keyring: Keyring,
  { email, code, at }: { email: string; code: string; at: number },
): UserBody | null {
  if (body.totp === null) return null;
  const step = stepOf(keyring.open(body.totp.sealed, contextOf(email)), code, at);
  return step === null || step <= body.totp.last ? null : { ...body, totp: { ...body.totp, last: step } };
}

function withoutRecovery(body: UserBody, hashes: readonly string[]): UserBody | null {
  const recovery = body.recovery.filter((one) => !hashes.includes(one));
  return body.totp === null || recovery.length === body.recovery.length ? null : { ...body, recovery };
}
