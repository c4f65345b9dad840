import { createHash } from 'node:crypto';

/** Bits of the flags (WebAuthn section 6.1): somebody was there, and showed a finger or a PIN. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
/** Hash of the site, flags, counter. */
const SHORTEST = 37;

/** What a browser says about what its device signed. */
export interface ClientData {
  type: string;
  origin: string;
  challenge: string;
}

/** Bytes that came as base64url; null for anything else. */
export const bytesOf = (text: unknown): Buffer | null =>
  typeof text === 'string' && /^[\w-]+$/.test(text) ? Buffer.from(text, 'base64url') : null;

/** The client data (WebAuthn section 5.8.1) of an answer; null when it is none. */
export function clientDataOf(text: unknown): ClientData | null {
  try {
    const { type, origin, challenge } = JSON.parse(String(bytesOf(text))) as Record<string, unknown>;
    if (typeof type !== 'string' || typeof origin !== 'string' || typeof challenge !== 'string') return null;
    return { type, origin, challenge };
  } catch {
    return null;
  }
}

/**
 * Why an answer is refused by what stands in it (WebAuthn sections 7.1 and 7.2, without challenge and signature); null
 * when it is not. `counter` is the last one of the passkey: one that does not grow is a copy's.
 */
export function refusalOf(
  { type, origin }: ClientData,
  authData: Uint8Array,
  asked: { type: string; rp: { id: string; origin: string }; counter: number },
): string | null {
  if (type !== asked.type) return 'wrong response type';
  if (origin !== asked.rp.origin) return 'wrong origin';
  if (authData.length < SHORTEST) return 'authenticator data missing';
  const view = Buffer.from(authData);
  if (!view.subarray(0, 32).equals(createHash('sha256').update(asked.rp.id).digest())) return 'wrong site';
  const flags = view[32]!;
  if ((flags & PRESENT) === 0) return 'user not present';
  if ((flags & VERIFIED) === 0) return 'user not verified';
  const counter = view.readUInt32BE(33);
  return (counter > 0 || asked.counter > 0) && counter <= asked.counter ? 'signature counter went backwards' : null;
}
