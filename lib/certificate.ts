import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** A certificate with its chain and its key, PEM. */
export interface CertificatePair {
  cert: string;
  key: string;
}

/** What is known of a certificate. */
export interface CertificateFacts {
  /** SHA-256, as `AA:BB:...`. */
  fingerprint: string;
  /** ms */
  validTo: number;
}

/** Reads the first certificate of a PEM text. Throws an Error when there is none. */
export function certificateFacts(cert: string): CertificateFacts {
  const { fingerprint256, validTo } = new X509Certificate(cert);
  return { fingerprint: fingerprint256, validTo: Date.parse(validTo) };
}

/** Checks that a pair can serve TLS. Throws an Error that says why not. */
export function checkPair({ cert, key }: CertificatePair): CertificateFacts {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new Error('the key does not belong to the certificate');
  }
  createSecureContext({ cert, key });
  return certificateFacts(cert);
}
