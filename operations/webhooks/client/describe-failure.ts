import { AttemptEnded } from './attempt-limits';
import type { TargetFault } from '../targets';

/** Why a URL may not be reached, for the log of deliveries. */
const TARGET_FAULTS: Readonly<Record<TargetFault, string>> = {
  invalid: 'The URL is not valid.',
  not_https: 'The URL does not begin with https://.',
  credentials: 'The URL has a user name or a password.',
  internal: 'The host is on an internal or private network.',
  unresolved: 'The host has no IP address in DNS.',
  unanswered: 'DNS did not respond for the host.',
};

const UNTRUSTED = "The endpoint's certificate was not issued by a trusted authority.";
const NOT_HTTP = 'The endpoint did not respond with HTTP.';
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The endpoint refused the connection.',
  ETIMEDOUT: 'The endpoint could not be reached.',
  ENETUNREACH: 'The endpoint could not be reached.',
  EHOSTUNREACH: 'The endpoint could not be reached.',
  ECONNRESET: 'The endpoint closed the connection during the handshake.',
  ERR_TLS_CERT_ALTNAME_INVALID: "The endpoint's certificate is for another host name.",
  CERT_HAS_EXPIRED: "The endpoint's certificate has expired.",
  CERT_NOT_YET_VALID: "The endpoint's certificate is not valid yet.",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  EPROTO: 'The TLS handshake with the endpoint failed.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too long.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: NOT_HTTP,
};

/** The connection was closed before an answer came. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

/** A URL that may not be reached. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
  constructor(fault: TargetFault, cause?: unknown) {
    super(TARGET_FAULTS[fault], { cause });
  }
}

/** What went wrong with an attempt, as one English sentence. It names no address, which may be none of ours to tell. */
export function describeFailure(error: unknown): string {
  if (error instanceof AttemptEnded || error instanceof TargetRefused) return error.message;
  if (error instanceof ConnectionClosed) return 'The endpoint closed the connection before it responded.';
  const { code = '', name } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  // By its name, since undici is loaded with the first connection only.
  if (name === 'HTTPParserError') return NOT_HTTP;
  if (code.startsWith('ERR_SSL_')) return 'The TLS handshake with the endpoint failed.';
  return SENTENCES[code] ?? `The request failed (${code || 'unknown error'}).`;
}

/** Why a status is not a success; null when it is. */
export function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  return `The endpoint answered ${status}${redirect}.`;
}
