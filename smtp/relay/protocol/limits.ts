const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const KB = 1024;

/** Octets, as REST counts them: 10 MiB (docs/contract.md#relay-connection). */
export const MAX_MAIL = 10 * KB * KB;
export const MAX_RECIPIENTS = 50;

/** Octets of a command line with its CRLF (RFC 5321 section 4.5.3.1.4). */
export const COMMAND_LINE = 512;
/** The same of MAIL, with what SIZE, BODY, SMTPUTF8 and AUTH add to it (RFCs 1870, 6152, 6531 and 4954). */
export const MAIL_LINE = COMMAND_LINE + 26 + 17 + 10 + 500;
/** The same of AUTH and of each line of its exchange (RFC 4954 section 4). */
export const AUTH_LINE = 12_288;
/** Octets of a line in a mail without its CRLF. Lines above 998 are composed again. */
export const MAIL_TEXT_LINE = 64 * KB;

/** Octets of a mail that need no reservation, so that small mails never wait for large ones. */
export const SMALL_MAIL = 64 * KB;
/** Octets after which the connection of a mail that is refused anyway is closed. */
export const HOPELESS_MAIL = 100 * KB * KB;

/** Unreadable or misplaced commands in a row, without a mail that was taken, until 421. */
export const MAX_ERRORS = 20;
/**
 * Refused recipients of a connection since its last mail that was taken, until 421. They are more than one mail has, so
 * that a mail to addresses that are suppressed, some or all of them, is answered to its end.
 */
export const MAX_REFUSED_RECIPIENTS = 2 * MAX_RECIPIENTS;
/** Refused logins of a connection until 421. */
export const MAX_LOGIN_FAILURES = 5;

/** Real time, ms. */
export interface TimeLimits {
  /** Between connection and greeting: what a client sends in it is refused. */
  beforeGreeting: number;
  handshake: number;
  /** Until the next command. */
  command: number;
  /** From the connection to the login. */
  login: number;
  /** Until the next bytes of a mail. */
  data: number;
  /** For the content of a mail in all: 15 minutes are 12 kB a second for the largest. */
  mail: number;
  /** Until the next bytes of a mail that is refused for its line ends: its client may think it has ended. */
  brokenData: number;
  /** Until a large mail gets its memory. */
  memory: number;
  /** Until the client has read our replies. */
  replies: number;
  /** For reading on behind the last reply, so that it is not lost in a reset. */
  linger: number;
  /** For the answer to a mail when the process ends. */
  stop: number;
}

export const TIME_LIMITS: TimeLimits = {
  beforeGreeting: 100,
  handshake: 30 * SECOND,
  command: 5 * MINUTE,
  login: 4 * MINUTE + 30 * SECOND,
  data: 3 * MINUTE,
  mail: 15 * MINUTE,
  brokenData: 3 * SECOND,
  memory: 5 * MINUTE,
  replies: MINUTE,
  linger: 2 * SECOND,
  stop: 3 * SECOND,
};
