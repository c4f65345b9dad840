/** The SMTP envelope of one mail. */
export interface Envelope {
  /** The signed bounce address (VERP). */
  from: string;
  to: string;
  /** ENVID of the delivery report request (RFC 3461): the message id. */
  envid: string;
}

/** What became of a hand-off (docs/architecture.md). Texts are one line. */
export type HandOffOutcome =
  /** The sending server took the mail. */
  | { kind: 'sent'; reply: string }
  /** The sending server answered 4xx or 5xx, or can never take the mail: it holds nothing. */
  | { kind: 'refused'; permanent: boolean; reply: string }
  /** The connection failed before the mail was complete: the sending server holds nothing. */
  | { kind: 'not_sent'; reason: string }
  /** The mail went out complete and no answer came: the sending server may hold it or not. */
  | { kind: 'unknown'; reason: string }
  /** The fence answered false or threw: no byte of the mail went out. */
  | { kind: 'fenced_out'; reason: string };

/**
 * A way to the sending server. Owed by every driver:
 * - `fence` is awaited at most once, after the server asked for the mail and before the first byte of it. Unless it
 *   resolves to true nothing is sent. No outcome is given while it is pending.
 * - `not_sent`, `refused` and `fenced_out` are definite failures: the server holds nothing. What is not definite is `unknown`.
 * - The mail goes to `envelope.to` alone, once at most in one call.
 * Left out on purpose: retries after the fence, queues, several recipients.
 */
export interface Transport {
  /** Hands over one signed mail (CRLF throughout). Never rejects. */
  handOff(envelope: Envelope, raw: Buffer, fence: () => Promise<boolean>): Promise<HandOffOutcome>;
  /** Answers `not_sent` to hand-offs that wait for a connection, lets running ones end, and closes all connections. */
  close(): Promise<void>;
}
