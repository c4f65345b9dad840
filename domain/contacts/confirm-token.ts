import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../keyring';

/** What a confirmation link is about. */
export interface Confirmable {
  workspaceId: number;
  audienceId: number;
  contactId: number;
}

const ID_BYTES = 6;
const IDS_BYTES = 3 * ID_BYTES;
/** With the ids a multiple of three bytes, so that every token has one spelling only. */
const SIGNATURE_BYTES = 15;
const TOKEN = /^[A-Za-z0-9_-]{44}$/;

/** The link to the page that confirms a membership (docs/contract.md#double-opt-in). */
export const confirmLink = (keyring: Keyring, publicUrl: string, about: Confirmable): string =>
  `${publicUrl}/c/${confirmToken(keyring, about)}`;

function confirmToken(keyring: Keyring, about: Confirmable): string {
  const ids = Buffer.alloc(IDS_BYTES);
  [about.workspaceId, about.audienceId, about.contactId].forEach((id, n) =>
    ids.writeUIntBE(id, n * ID_BYTES, ID_BYTES),
  );
  return Buffer.concat([ids, signature(keyring, about)]).toString('base64url');
}

/** What a token was signed for; null when it was changed. */
export function readConfirmToken(keyring: Keyring, token: string): Confirmable | null {
  if (!TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const id = (n: number): number => bytes.readUIntBE(n * ID_BYTES, ID_BYTES);
  const about = { workspaceId: id(0), audienceId: id(1), contactId: id(2) };
  return timingSafeEqual(bytes.subarray(IDS_BYTES), signature(keyring, about)) ? about : null;
}

const signature = (keyring: Keyring, { workspaceId, audienceId, contactId }: Confirmable): Buffer =>
  keyring.linkDigest(`confirm ${workspaceId} ${audienceId} ${contactId}`).subarray(0, SIGNATURE_BYTES);
