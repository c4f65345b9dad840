import type { Lane } from '../../domain/messages/message';

/** The SMTP envelope of one mail. */
export interface Envelope {
  /** The signed bounce address (VERP). */
  from: string;
  to: string;
  /** ENVID of the delivery report request (RFC 3461): the message id. */
  envid: string;
  /** In which line it waits for a connection; undefined: that of transactional mail. */
  lane?: Lane;
  /** Of several sending servers, the one that it should go over; undefined: the first. */
  server?: string | undefined;
  /** The one that the rules choose, which takes over first; undefined: the first. */
  usual?: string | undefined;
}

/**
 * The outcome of a hand-off (docs/architecture.md). Texts are one line. `unopened`: there was no session yet.
 * `silent`: in its session the server did not ask for the mail in time. `unasked`: the server cannot take the mail, and
 * was not asked. `server`: which of several servers it is of.
 */
export type HandOffOutcome = { server?: string } & (
  | /** The sending server accepted the mail. */
    { kind: 'sent'; reply: string }
    /** The sending server answered 4xx or 5xx, or can never accept the mail: it does not have it. */
  | { kind: 'refused'; permanent: boolean; reply: string; unopened?: true; unasked?: true }
  /** The connection failed before the mail was complete: the sending server does not have it. */
  | { kind: 'not_sent'; reason: string; unopened?: true; silent?: true }
  /** The complete mail was sent and no answer came: the sending server may or may not have it. */
  | { kind: 'unknown'; reason: string }
  /** The fence returned false or threw: no byte of the mail was sent. */
  | { kind: 'fenced_out'; reason: string }
);

/**
 * A connection to the sending server. Every driver guarantees:
 * - `fence` is awaited at most once, after the server asked for the mail and before its first byte. Unless it resolves
 *   to true nothing is sent. No outcome is returned while it is pending.
 * - `not_sent`, `refused` and `fenced_out` are definite failures: the server does not have the mail. Anything uncertain
 *   is `unknown`.
 * - The mail goes only to `envelope.to`, at most once per call.
 * Several servers tell `fence` which of them asks. Left out on purpose: retries after the fence, queues, several
 * recipients.
 */
export interface Transport {
  /** Hands over one signed mail (CRLF throughout). Never rejects. */
  handOff(envelope: Envelope, raw: Buffer, fence: (server?: string) => Promise<boolean>): Promise<HandOffOutcome>;
  /**
   * The largest mail that the server takes, bytes, as it said lately; null when it did not say. `server` as in
   * Envelope.
   */
  largestMail(server?: string): number | null;
  /**
   * Returns `not_sent` to hand-offs that wait for a connection, lets running ones finish, and closes all connections.
   */
  close(): Promise<void>;
}

/** True when a failure says nothing about the mail, only that its server takes none now. */
export function isOfServer(outcome: HandOffOutcome): boolean {
  if (outcome.kind === 'not_sent') return true;
  return outcome.kind === 'refused' && (outcome.unopened === true || outcome.reply.startsWith('421'));
}
