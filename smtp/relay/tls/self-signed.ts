import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { DAY } from '../../../lib/clock';
import type { CertificatePair } from '../../../lib/certificate';
import { bitString, integer, objectId, octetString, sequence, set, tagged, time, TRUE, utf8String } from './der';

const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const COMMON_NAME = objectId('2.5.4.3');
const SUBJECT_ALT_NAME = objectId('2.5.29.17');
const BASIC_CONSTRAINTS = objectId('2.5.29.19');
const EXTENDED_KEY_USAGE = objectId('2.5.29.37');
const SERVER_AUTH = objectId('1.3.6.1.5.5.7.3.1');
const VERSION_3 = tagged(0xa0, integer(Buffer.from([2])));
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/** Clients compare a self-made certificate by its fingerprint, so it is kept for long: ten years. */
const VALIDITY = 3_650 * DAY;
/** Clocks of clients may be behind ours. */
const BEFORE = DAY;
const MAX_COMMON_NAME = 64;

/**
 * Makes a certificate (RFC 5280) that is signed with its own key, ECDSA on P-256, for names and IP addresses; the first
 * is its common name. `now` in ms.
 */
export function selfSigned(names: readonly [string, ...string[]], now: number): CertificatePair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const commonName = utf8String(names[0].slice(0, MAX_COMMON_NAME));
  const name = sequence(set(sequence(COMMON_NAME, commonName)));
  const toSign = sequence(
    VERSION_3,
    integer(randomBytes(16)),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(now - BEFORE), time(now + VALIDITY)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(names))),
  );
  const signature = sign('sha256', toSign, privateKey);
  const certificate = sequence(toSign, ECDSA_WITH_SHA256, bitString(signature));
  return { cert: pem(certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

function extensions(names: readonly string[]): Buffer[] {
  const alternatives = names.map((name) =>
    isIP(name) ? tagged(IP_ADDRESS, ipOctets(name)) : tagged(DNS_NAME, Buffer.from(name)),
  );
  return [
    sequence(BASIC_CONSTRAINTS, TRUE, octetString(sequence())),
    sequence(EXTENDED_KEY_USAGE, octetString(sequence(SERVER_AUTH))),
    sequence(SUBJECT_ALT_NAME, octetString(sequence(...alternatives))),
  ];
}

function ipOctets(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const zeros = Array<string>(tail === undefined ? 0 : 8 - left.length - right.length).fill('0');
  return Buffer.from([...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
