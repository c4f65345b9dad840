import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';
import { MINUTE } from '../../lib/clock';
import { randomText } from '../../lib/random-text';
import type { Logger } from '../../lib/logger';
import { readUrl } from '../../lib/read-url';
import { epochOf, isOfNow } from '../../domain/people/account-trust';
import { record, type RecordEntry } from '../../domain/records/record';
import { forgetAttempt, takeAttempt, type Attempt } from './attempts';
import { beginChallenge, CHALLENGES, takeChallenge } from './challenges';
import { bytesOf, clientDataOf, refusalOf } from './passkey-refusals';
import { IDENTITIES, userOf, type PeopleDeps, type User } from './people';
import { removeSecondFactor, type FactorDeps } from './second-factor';
import type { SignIn } from './sign-in';
import { hashToken } from './tokens';

/** A credential of WebAuthn. The id is that of the credential, base64url. */
export interface PasskeyBody {
  name: string;
  publicKey: string;
  counter: number;
  transports: readonly string[];
  createdAt: number;
  lastUsedAt: number | null;
  /** That of the user when it was asked for. */
  epoch?: number;
}
export const PASSKEYS = record<PasskeyBody, 'user'>('passkey');
export type Passkey = RecordEntry<PasskeyBody>;

/** The log is for answers that could not be judged: that is our fault, and no refusal. */
export type PasskeyDeps = FactorDeps & { logger: Pick<Logger, 'error'> };

/** Loaded when it is needed: it brings parsers of certificates. */
const webauthn = () => import('@simplewebauthn/server');

/** How long the page of a sign-in can be used for one, ms. */
const SIGN_IN_LASTS = 15 * MINUTE;

/** For which site passkeys are: they work there only. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** The site of the public address; null where browsers make no passkeys: at a bare IP address. */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const url = readUrl(publicUrl);
  return !url || isIP(url.hostname.replace(/^\[|\]$/g, '')) ? null : { id: url.hostname, origin: url.origin };
}

export const passkeysOf = ({ records, clock }: PeopleDeps, user: string): Promise<Passkey[]> =>
  records.list(PASSKEYS, { user }, clock.now());

/** Begins to register a passkey: what the browser needs, and the token of what has begun. */
export async function beginPasskey(
  deps: FactorDeps,
  { id: rpID }: RelyingParty,
  user: User,
): Promise<{ token: string; options: object }> {
  const { generateRegistrationOptions } = await webauthn();
  const known = await passkeysOf(deps, user.id);
  const options = await generateRegistrationOptions({
    rpName: 'Kurir',
    rpID,
    userName: user.id,
    userDisplayName: user.body.name ?? user.id,
    // The same for each passkey of a person, and no address.
    userID: new Uint8Array(Buffer.from(deps.keyring.hash('passkey-users', user.id), 'base64url')),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ id }) => ({ id })),
  });
  const { challenge } = options;
  const token = await beginChallenge(deps, 'register', user.id, { challenge, epoch: String(epochOf(user.body)) });
  return { token, options };
}

/** What a browser answered; null when it is none. */
function read<T extends { response: object }>(answer: string): T | null {
  try {
    const said = JSON.parse(answer) as Partial<T> | null;
    return said?.response instanceof Object ? (said as T) : null;
  } catch {
    return null;
  }
}

/** Stores a passkey that the browser has made. False when it is not what was asked for, or has begun too long ago. */
export async function addPasskey(
  deps: PasskeyDeps,
  rp: RelyingParty,
  user: string,
  { token, name, answer }: { token: string; name: string; answer: string },
): Promise<boolean> {
  const begun = await takeChallenge(deps, 'register', token);
  const response = read<RegistrationResponseJSON>(answer);
  if (begun?.user !== user || !response) return false;
  const credential = await credentialOf(deps, rp, response, begun.body.data['challenge'] ?? '');
  if (!credential) return false;
  const { id, publicKey, counter, transports = [] } = credential;
  const now = deps.clock.now();
  const key = Buffer.from(publicKey).toString('base64url');
  const epoch = Number(begun.body.data['epoch'] ?? 0);
  const body = { name, publicKey: key, counter, transports, createdAt: now, lastUsedAt: null, epoch };
  return (await deps.records.add(PASSKEYS, { id, user, body }, now)) !== null;
}

/** What is to be kept of a passkey; null when it is not what was asked for. */
async function credentialOf(
  { logger }: PasskeyDeps,
  rp: RelyingParty,
  response: RegistrationResponseJSON,
  expectedChallenge: string,
): Promise<WebAuthnCredential | null> {
  const said = clientDataOf(response.response.clientDataJSON);
  const attestation = bytesOf(response.response.attestationObject);
  if (!said || !attestation || said.challenge !== expectedChallenge) return null;
  try {
    const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
    const authData = decodeAttestationObject(new Uint8Array(attestation)).get('authData');
    if (refusalOf(said, authData, { type: 'webauthn.create', rp, counter: 0 }) !== null) return null;
    const { verifyRegistrationResponse } = await webauthn();
    const expected = { expectedChallenge, expectedOrigin: rp.origin, expectedRPID: rp.id };
    const verified = await verifyRegistrationResponse({ response, ...expected });
    return verified.verified ? verified.registrationInfo.credential : null;
  } catch (err) {
    logger.error({ err }, 'a new passkey could not be read');
    return null;
  }
}

/** Takes a passkey of the user away. False if there is none of this id. */
export async function removePasskey({ records, clock }: PeopleDeps, user: string, id: string): Promise<boolean> {
  const found = await records.get(PASSKEYS, id, clock.now());
  return found?.user === user && (await records.take(PASSKEYS, id, clock.now())) !== null;
}

/** Takes all passkeys of a user away. */
export const removePasskeys = ({ records }: PeopleDeps, user: string): Promise<number> =>
  records.removeOf(PASSKEYS, user, null);

/**
 * After a lost phone: takes the second factor away, the passkeys, which may be on it, and the link to the person of a
 * provider, who may be another one now.
 */
export async function removeFactors(deps: PeopleDeps, user: string, { keepsPasskeys = false } = {}): Promise<void> {
  await removeSecondFactor(deps, user);
  if (!keepsPasskeys) await removePasskeys(deps, user);
  await deps.records.removeOf(IDENTITIES, user, null);
}

/**
 * What a browser signs to sign in. It carries its end and a seal of ours, so that showing the page to anybody stores
 * nothing.
 */
export function signInChallenge({ clock, keyring }: FactorDeps): string {
  const text = `${clock.now() + SIGN_IN_LASTS}.${randomText(22)}`;
  return Buffer.from(`${text}.${keyring.hash('passkey-challenges', text)}`).toString('base64url');
}

/** Uses the challenge up: true once, while it lasts. */
async function useChallenge({ records, clock, keyring }: FactorDeps, challenge: string): Promise<boolean> {
  const [end = '', random = '', seal] = Buffer.from(challenge, 'base64url').toString().split('.');
  const expiresAt = Number(end);
  const now = clock.now();
  if (seal !== keyring.hash('passkey-challenges', `${end}.${random}`) || !(expiresAt > now)) return false;
  const body = { purpose: 'passkey', data: {} } as const;
  return (await records.add(CHALLENGES, { id: hashToken(challenge), user: null, expiresAt, body }, now)) !== null;
}

/** Signs in by a passkey. The device has asked for a finger or a PIN: that is both factors. */
export async function signInByPasskey(
  deps: PasskeyDeps,
  rp: RelyingParty,
  { answer, ...client }: { answer: string } & Pick<Attempt, 'address' | 'browser'>,
): Promise<SignIn> {
  const response = read<AuthenticationResponseJSON>(answer);
  const passkey = typeof response?.id === 'string' ? await deps.records.get(PASSKEYS, response.id, 0) : null;
  const user = passkey?.user == null ? null : await userOf(deps, passkey.user);
  const attempt = { email: user?.id ?? '-', ...client };
  const wait = await takeAttempt(deps, attempt, 'passkey');
  if (wait > 0) return { wait };
  if (!response || !passkey || !user || user.body.disabledAt !== null) return { refused: true };
  if (!isOfNow(passkey.body, user.body)) return { refused: true };
  if (!(await isSigned(deps, rp, passkey, response))) return { refused: true };
  await forgetAttempt(deps, attempt, 'passkey');
  return { user };
}

async function isSigned(
  deps: PasskeyDeps,
  rp: RelyingParty,
  passkey: Passkey,
  response: AuthenticationResponseJSON,
): Promise<boolean> {
  const { body } = passkey;
  const said = clientDataOf(response.response.clientDataJSON);
  const authData = bytesOf(response.response.authenticatorData);
  if (!said || !authData || !bytesOf(response.response.signature)) return false;
  if (!(await useChallenge(deps, said.challenge))) return false;
  if (refusalOf(said, authData, { type: 'webauthn.get', rp, counter: body.counter }) !== null) return false;
  const counter = await verifiedCounter(deps, rp, passkey, { response, challenge: said.challenge });
  // A key that was copied counts on from where it was: of two that count at once one is refused.
  if (counter === null) return false;
  const now = deps.clock.now();
  return (await deps.records.replace(PASSKEYS, passkey, { body: { ...body, counter, lastUsedAt: now } }, now)) !== null;
}

/** The counter of an answer that is signed by the passkey; null when the signature is another's. */
async function verifiedCounter(
  { logger }: PasskeyDeps,
  rp: RelyingParty,
  { id, user, body }: Passkey,
  { response, challenge }: { response: AuthenticationResponseJSON; challenge: string },
): Promise<number | null> {
  const publicKey = new Uint8Array(Buffer.from(body.publicKey, 'base64url'));
  try {
    const { verifyAuthenticationResponse } = await webauthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      expectedChallenge: challenge,
      credential: { id, publicKey, counter: body.counter },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (err) {
    // All that an honest browser may be refused for was looked at before.
    logger.error({ err, user }, 'a passkey could not be checked');
    return null;
  }
}
