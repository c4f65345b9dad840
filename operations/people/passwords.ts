import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { isCommonPassword } from '../../domain/people/common-passwords';

/** Characters that a password has at least. */
export const MIN_PASSWORD = 12;
const MAX_PASSWORD = 256;
/** 32 MB and some 60 ms a password (RFC 7914). */
const COST = { N: 32_768, r: 8, p: 1 };
const LENGTH = 32;

type Cost = typeof COST;

/** What is wrong with a password that somebody chooses; null: nothing. */
export function passwordFault(password: string, about: { email: string }): string | null {
  const length = [...password].length;
  if (length < MIN_PASSWORD) return `The password must have at least ${MIN_PASSWORD} characters.`;
  if (length > MAX_PASSWORD) return `The password must have at most ${MAX_PASSWORD} characters.`;
  if (isCommonPassword(password, about.email)) return 'This password is too common. Choose another one.';
  return null;
}

const derive = (password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: 256 * N * r };
    scrypt(password.normalize('NFC'), salt, LENGTH, options, (error, key) => (error ? reject(error) : resolve(key)));
  });

/** The hash of a password, with its cost and salt: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** True if it is the password of the hash. Without a hash it takes as long, and is false. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', expected = ''] = (hash ?? '').split('$');
  const cost = hash === null ? COST : { N: Number(N), r: Number(r), p: Number(p) };
  const found = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return hash !== null && timingSafeEqual(found, Buffer.from(expected, 'base64url'));
}

/** True if the hash has another cost than today's, so that it should be made anew at the next sign-in. */
export const isOldHash = (hash: string): boolean => !hash.startsWith(`scrypt$${COST.N}$${COST.r}$${COST.p}$`);
