import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';

const BITS = 2048;

/** A key that cannot sign mail. */
export class DkimKeyError extends Error {
  override readonly name = 'DkimKeyError';
}

/**
 * Reads the private key of a sending domain. Keep the KeyObject: parsing costs more than signing. Throws DkimKeyError
 * for anything but an RSA key of 2048 bits or more (RFC 8301), so that no mail goes out unsigned or weakly signed.
 */
export function loadDkimKey(pem: string): KeyObject {
  const key = parse(pem);
  if (key.asymmetricKeyType !== 'rsa')
    throw new DkimKeyError(`A DKIM key must be RSA, this one is ${key.asymmetricKeyType}.`);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < BITS) throw new DkimKeyError(`A DKIM key must have ${BITS} bits or more, this one has ${bits}.`);
  return key;
}

function parse(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new DkimKeyError('The DKIM key must be a private key in PEM, without a passphrase.');
  }
}

/**
 * A new key pair for a sending domain: PKCS#8 PEM, and the TXT value for `<selector>._domainkey.<domain>` (RFC 6376).
 */
interface GeneratedDkimKey {
  privateKeyPem: string;
  /** One string of more than 255 characters; a zone file splits it. */
  publicKeyDns: string;
}

/**
 * The TXT value for the public half of a private key (RFC 6376 section 3.6.1). Throws DkimKeyError as `loadDkimKey`
 * does.
 */
export function dkimDnsValue(pem: string): string {
  return dnsValue(createPublicKey(loadDkimKey(pem)));
}

const dnsValue = (publicKey: KeyObject): string =>
  `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;

/** Generates an RSA-2048 key pair on the thread pool. */
export function generateDkimKey(): Promise<GeneratedDkimKey> {
  return new Promise((resolve, reject) => {
    generateKeyPair('rsa', { modulusLength: BITS }, (error, publicKey, privateKey) => {
      if (error) return reject(error);
      const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      resolve({ privateKeyPem, publicKeyDns: dnsValue(publicKey) });
    });
  });
}
