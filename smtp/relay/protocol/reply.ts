import type { Reply } from './policy';

/** A reply of one line. */
export const reply = (code: number, enhanced: string | null, line: string): Reply => ({
  code,
  enhanced,
  lines: [line],
});

/** A command that cannot be read: an address or a parameter is missing or broken. */
export const syntax = (usage: string): Reply => reply(501, '5.5.4', `Syntax: ${usage}`);

export const REPLIES = {
  ok: reply(250, '2.0.0', 'OK'),
  senderTaken: reply(250, '2.1.0', 'Sender accepted'),
  recipientTaken: reply(250, '2.1.5', 'Recipient accepted'),
  bye: reply(221, '2.0.0', 'Goodbye'),
  help: reply(214, '2.0.0', 'EHLO, STARTTLS, AUTH, MAIL, RCPT, DATA, RSET, NOOP, QUIT: see RFC 5321'),
  cannotVerify: reply(252, '2.0.0', 'Addresses are checked at RCPT'),
  sendData: reply(354, null, 'Send the message, end it with <CRLF>.<CRLF>'),
  startTls: reply(220, '2.0.0', 'Ready to start TLS'),
  loggedIn: reply(235, '2.7.0', 'Logged in'),

  failed: reply(451, '4.3.0', 'Not accepted because of a server error, try again later'),
  tooManyRecipients: reply(452, '4.5.3', 'Too many recipients in one message, send the rest in another'),

  noSuchCommand: reply(500, '5.5.1', 'No such command'),
  notACommand: reply(500, '5.5.1', 'This is not a command, goodbye'),
  lineTooLong: reply(500, '5.5.2', 'Line too long'),
  badCharacters: reply(500, '5.5.2', 'The line is not valid UTF-8'),
  badLine: reply(500, '5.5.2', 'A line must end with CRLF and contain no CR, LF or NUL'),
  authTooLong: reply(500, '5.5.6', 'Authentication exchange line is too long'),
  badBase64: reply(501, '5.5.2', 'This is not a base64 login'),
  cancelled: reply(501, '5.7.0', 'Authentication cancelled'),
  noExpansion: reply(502, '5.5.1', 'EXPN is not supported'),
  ehloFirst: reply(503, '5.5.1', 'Send EHLO first'),
  mailFirst: reply(503, '5.5.1', 'Send MAIL first'),
  nestedMail: reply(503, '5.5.1', 'Sender already given'),
  alreadySecure: reply(503, '5.5.1', 'TLS is already in use'),
  alreadyLoggedIn: reply(503, '5.5.1', 'Already logged in'),
  authDuringMail: reply(503, '5.5.1', 'AUTH is not possible during a message'),
  behindStartTls: reply(503, '5.5.1', 'Nothing may follow STARTTLS before TLS, goodbye'),
  unknownMechanism: reply(504, '5.5.4', 'Log in with PLAIN or LOGIN'),
  startTlsFirst: reply(530, '5.7.0', 'Must issue a STARTTLS command first'),
  loginFirst: reply(530, '5.7.0', 'Authentication required'),
  wrongLogin: reply(535, '5.7.8', 'Wrong user name or password'),
  encryptFirst: reply(538, '5.7.11', 'Encryption required for requested authentication mechanism'),
  tooLarge: reply(552, '5.3.4', 'The message is too large'),
  notAscii: reply(553, '5.6.7', 'An address beyond ASCII needs SMTPUTF8 and valid UTF-8'),
  earlyTalker: reply(554, '5.5.1', 'Data came before the greeting, goodbye'),
  noRecipients: reply(554, '5.5.1', 'No valid recipients'),
  badMail: reply(554, '5.6.0', 'The message has a bare CR or LF or a NUL, goodbye'),
  longLines: reply(554, '5.6.0', 'The message has a line that is too long'),
  unknownParameter: reply(555, '5.5.4', 'Unknown parameter'),
} as const satisfies Record<string, Reply>;

/** Replies that end a connection. */
export const GOODBYES = {
  late: reply(421, '4.4.2', 'Timed out, goodbye'),
  noLogin: reply(421, '4.4.2', 'Login timed out, goodbye'),
  tooManyErrors: reply(421, '4.7.0', 'Too many errors, goodbye'),
  tooManyRefused: reply(421, '4.7.0', 'Too many refused recipients, goodbye'),
  tooManyFailures: reply(421, '4.7.0', 'Too many failed logins, goodbye'),
  tooManyConnections: reply(421, '4.7.0', 'Too many connections, try again later'),
  tooMuch: reply(421, '4.3.4', 'Too much data, goodbye'),
  noMemory: reply(421, '4.3.1', 'Too many large messages at the moment, try again later'),
  stopping: reply(421, '4.3.2', 'Shutting down, try again later'),
} as const satisfies Record<string, Reply>;

/** Line breaks and other control characters would end the reply early. */
const printable = (line: string): string => line.replace(/[\u0000-\u001f\u007f]+/g, ' ');

/** The reply as it goes out (RFC 5321 section 4.2.1, RFC 2034), with a line at least. */
export function formatReply({ code, enhanced, lines }: Reply): string {
  const texts = lines.length > 0 ? lines : [''];
  const prefix = enhanced === null ? '' : `${enhanced} `;
  return texts.map((line, i) => `${code}${i < texts.length - 1 ? '-' : ' '}${prefix}${printable(line)}\r\n`).join('');
}
