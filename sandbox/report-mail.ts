import { domainToASCII } from 'node:url';
import type { DueReport } from './pending-reports';

/** A MIME part: its header lines and its body, as text with CRLF line ends, one character per byte. */
export interface Part {
  type: string;
  headers?: readonly string[];
  body: string;
}

const CRLF = '\r\n';

/** Text beyond ASCII as UTF-8, one character per byte. */
export const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Bytes of a mail with every line end as CRLF, one character per byte. */
export const lines = (bytes: Buffer): string => bytes.toString('latin1').replace(/\r\n|\r|\n/g, CRLF);

/** RFC 5322 date of a time in ms. */
export const mailDate = (at: number): string => new Date(at).toUTCString().replace('GMT', '+0000');

/** A field with foreign text: always one line. */
export const field = (name: string, value: string): string =>
  utf8(`${name}: ${value.replace(/\p{Cc}+/gu, ' ').trim()}`);

/** An address with its domain in ASCII. */
export function asciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? address : `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)) || address.slice(at + 1)}`;
}

/** A multipart/report (RFC 6522) to the envelope sender of the mail, one character per byte. */
export function reportMail(
  report: DueReport,
  about: { from: string; subject: string; reportType: string; hostname: string; now: number },
  parts: readonly Part[],
): string {
  const bodies = parts.map(({ type, headers = [], body }) =>
    [`Content-Type: ${type}`, ...headers, '', body].join(CRLF),
  );
  const boundary = freeBoundary(`report-${report.id}`, bodies);
  return [
    `Date: ${mailDate(about.now)}`,
    field('From', `${about.from}@${about.hostname}`),
    field('To', report.mail.mailFrom),
    `Subject: ${about.subject}`,
    `Message-ID: <report-${report.id}.${report.tries}@${about.hostname}>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${about.reportType}; boundary="${boundary}"`,
    '',
    ...bodies.flatMap((body) => [`--${boundary}`, body]),
    `--${boundary}--`,
    '',
  ].join(CRLF);
}

/** A boundary that occurs in none of the parts, even if a mail was written to contain it. */
function freeBoundary(wish: string, bodies: readonly string[]): string {
  let boundary = wish;
  while (bodies.some((body) => body.includes(`--${boundary}`))) boundary += '-';
  return boundary;
}
