import type { Owner } from '../../../lib/byte-budget';

/** A reply of the relay. It goes out as one or several lines, each with the code and, when set, the enhanced code. */
export interface Reply {
  /** 200 to 599. */
  code: number;
  /** An enhanced status code such as `5.7.1` (RFC 3463); null where none is defined. */
  enhanced: string | null;
  /** At least one line of text. */
  lines: readonly string[];
}

/** Where a connection comes from. */
export interface Peer {
  /** A plain IPv4 or IPv6 address. */
  address: string;
}

/** The sender of a mail as MAIL FROM gave it (RFC 5321 section 4.1.1.2). */
export interface Envelope {
  /** Empty for the null sender `<>`. */
  address: string;
  /** The SIZE parameter in octets; null: not declared. */
  size: number | null;
  smtpUtf8: boolean;
}

/** One mail from MAIL to the final dot. `login` is what `SubmissionPolicy.login` answered. */
export interface Transaction<L> {
  login: L;
  peer: Peer;
  sender: Envelope;
  /** The recipients taken so far, in the order of RCPT, as written. */
  recipients: readonly string[];
}

/**
 * What the relay decides, apart from the protocol. The protocol calls each of them in turn for a connection, never two
 * at once. A rejection is answered with 451 4.3.0, and nothing of it may be kept.
 */
export interface SubmissionPolicy<L> {
  /** A user name and a password, sent over TLS. Answers the login, or the reply that refuses it. */
  login(credentials: { username: string; password: string }, peer: Peer): Promise<{ login: L } | { refusal: Reply }>;
  /** The account of a login: logins of one account share what each account may take. */
  accountOf(login: L): Owner;
  /** MAIL FROM. Null takes it. */
  sender(login: L, sender: Envelope, peer: Peer): Promise<Reply | null>;
  /** RCPT TO: `address` as written between the brackets, well-formed or not. Null takes it. */
  recipient(transaction: Transaction<L>, address: string): Promise<Reply | null>;
  /** The mail after the final dot, without dot-stuffing, every line ended by CRLF. Answers the final reply. */
  mail(transaction: Transaction<L>, content: Buffer): Promise<Reply>;
}
