/** The SMTP envelope of one mail. */
export interface Envelope {
  /** The signed bounce address (VERP). */
  from: string;
  to: string;
  /** ENVID of the delivery report request (RFC 3461): the message id. */
  envid: string;
}

/** The outcome of a hand-off (docs/architecture.md). Texts are one line. */
export type HandOffOutcome =
  /** The sending server accepted the mail. */
  | { kind: 'sent'; reply: string }
  /** The sending server answered 4xx or 5xx, or can never accept the mail: it does not have it. */
  | { kind: 'refused'; permanent: boolean; reply: string }
  /** The connection failed before the mail was complete: the sending server does not have it. */
  | { kind: 'not_sent'; reason: string }
  /** The complete mail was sent and no answer came: the sending server may or may not have it. */
  | { kind: 'unknown'; reason: string }
  /** The fence returned false or threw: no byte of the mail was sent. */
  | { kind: 'fenced_out'; reason: string };

/**
 * A connection to the sending server. Every driver guarantees:
 * - `fence` is awaited at most once, after the server asked for the mail and before its first byte. Unless it resolves
 *   to true nothing is sent. No outcome is returned while it is pending.
 * - `not_sent`, `refused` and `fenced_out` are definite failures: the server does not have the mail. Anything uncertain
 *   is `unknown`.
 * - The mail goes only to `envelope.to`, at most once per call.
 * Left out on purpose: retries after the fence, queues, several recipients.
 */
export interface Transport {
  /** Hands over one signed mail (CRLF throughout). Never rejects. */
  handOff(envelope: Envelope, raw: Buffer, fence: () => Promise<boolean>): Promise<HandOffOutcome>;
  /** The largest mail that the server takes, bytes, as it said lately; null when it did not say. */
  largestMail(): number | null;
  /**
   * Returns `not_sent` to hand-offs that wait for a connection, lets running ones finish, and closes all connections.
   */
  close(): Promise<void>;
}
