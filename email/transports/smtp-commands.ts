import { isAscii } from 'node:buffer';
import { needsSmtpUtf8 } from './envelope-address';
import type { SmtpExtensions } from './smtp-extensions';

/** Sender and recipient, with addresses that `envelopeAddress` has accepted, and the bytes of a mail. */
export interface AddressedMail {
  from: string;
  to: string;
  /** ENVID of the report request. */
  envid: string;
  raw: Buffer;
}

/** `MAIL FROM` with the parameters the server supports; no line end. */
export function mailCommand({ from, to, envid, raw }: AddressedMail, offers: SmtpExtensions): string {
  const ascii = isAscii(raw);
  let line = `MAIL FROM:<${from}>`;
  if (offers.smtpUtf8 && (needsSmtpUtf8(from) || needsSmtpUtf8(to) || (!ascii && !isAscii(header(raw)))))
    line += ' SMTPUTF8';
  if (offers.eightBitMime && !ascii) line += ' BODY=8BITMIME';
  if (offers.size) line += ` SIZE=${raw.length}`;
  if (offers.dsn) line += ` RET=HDRS ENVID=${xtext(envid)}`;
  return line;
}

/** `RCPT TO` with a request for every kind of report if the server supports DSN (RFC 3461); no line end. */
export function rcptCommand({ to }: AddressedMail, offers: SmtpExtensions): string {
  if (!offers.dsn) return `RCPT TO:<${to}>`;
  const original = /[^ -~]/.test(to) ? '' : ` ORCPT=rfc822;${xtext(to)}`;
  return `RCPT TO:<${to}> NOTIFY=SUCCESS,FAILURE,DELAY${original}`;
}

/** RFC 3461 section 4: any text as printable ASCII without spaces, so that nothing in it can end a parameter. */
function xtext(text: string): string {
  if (/^[!-*,-<>-~]*$/.test(text)) return text;
  return Buffer.from(text).reduce((out, byte) => out + encoded(byte), '');
}

function encoded(byte: number): string {
  const char = String.fromCharCode(byte);
  return /[!-*,-<>-~]/.test(char) ? char : `+${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function header(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n', 0, 'latin1');
  return end < 0 ? raw : raw.subarray(0, end);
}
