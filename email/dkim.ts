import { createHash, hash } from 'node:crypto';
import type { ComposedMail } from './compose';
import { relaxedBody, relaxedHeader } from './dkim-canonical';
import { headerBlock, type MailHeader } from './mail-headers';

/** The signing domain and the time. */
interface DkimSigner {
  /** The sending domain, ASCII. */
  domain: string;
  selector: string;
  /** ms */
  now: number;
}

/** A mail that is complete except for its signature. */
interface SignableMail {
  /** The text to sign with rsa-sha256, as UTF-8. */
  data: string;
  /**
   * The bytes to send, alone in their ArrayBuffer; `signature` is base64 on one line. To be called once: it may write
   * the header fields in front of the body instead of copying it.
   */
  signedWith: (signature: string) => Buffer;
}

/** Fields to sign, if present. */
const SIGNED = [
  'From',
  'Reply-To',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'MIME-Version',
  'Content-Type',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Feedback-ID',
  'CFBL-Address',
];
/** Fields listed once more than they occur, so that another one cannot be added (RFC 6376 section 8.15). */
const OVERSIGNED = ['From', 'Reply-To', 'To', 'Subject', 'Date', 'Content-Type', 'Feedback-ID', 'CFBL-Address'];
const LINE = 72;

/** Prepares the mail for DKIM signing (RFC 6376: rsa-sha256, relaxed/relaxed). */
export function signable(mail: Pick<ComposedMail, 'headers' | 'body' | 'room'>, signer: DkimSigner): SignableMail {
  const signed = signedFields(mail.headers);
  const unsigned: MailHeader = {
    name: 'DKIM-Signature',
    value: signatureTags(namesOf(signed), hashOf(mail.body), signer),
  };
  const data = [...signed, unsigned].map(relaxedHeader).join('\r\n');
  const signedWith = (signature: string): Buffer => {
    const value = unsigned.value + foldBase64(signature);
    return joined(`${headerBlock([{ name: unsigned.name, value }, ...mail.headers])}\r\n`, mail);
  };
  return { data, signedWith };
}

/** In the order of SIGNED. */
function signedFields(headers: readonly MailHeader[]): MailHeader[] {
  const signed: MailHeader[] = [];
  for (const name of SIGNED) {
    for (const header of headers) if (header.name === name) signed.push(header);
  }
  return signed;
}

/** The field names for `h=`. */
function namesOf(signed: readonly MailHeader[]): string[] {
  return [...signed.map((header) => header.name), ...OVERSIGNED];
}

function joined(head: string, { body, room }: Pick<ComposedMail, 'body' | 'room'>): Buffer {
  const length = Buffer.byteLength(head);
  if (length <= room) {
    const mail = Buffer.from(body.buffer, body.byteOffset - length, length + body.length);
    mail.write(head);
    return mail;
  }
  const mail = Buffer.allocUnsafeSlow(length + body.length);
  mail.write(head);
  body.copy(mail, length);
  return mail;
}

function signatureTags(names: readonly string[], bodyHash: string, { domain, selector, now }: DkimSigner): string {
  const time = Math.floor(now / 1000);
  return (
    `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain};\r\n s=${selector}; t=${time};\r\n` +
    ` h=${foldNames(names)};\r\n bh=${bodyHash};\r\n b=`
  );
}

function hashOf(body: Buffer): string {
  const pieces = relaxedBody(body);
  if (pieces.length === 1) return hash('sha256', pieces[0]!, 'base64');
  const sum = createHash('sha256');
  for (const piece of pieces) sum.update(piece);
  return sum.digest('base64');
}

function foldNames(names: readonly string[]): string {
  let folded = '';
  let column = ' h='.length;
  for (const name of names) {
    const text = folded === '' ? name : `:${name}`;
    if (column + text.length > LINE) {
      folded += '\r\n ';
      column = 1;
    }
    folded += text;
    column += text.length;
  }
  return folded;
}

/** Folding white space inside `b=` is not part of the signature (RFC 6376 section 3.5). */
function foldBase64(text: string): string {
  let folded = text.slice(0, LINE);
  for (let at = LINE; at < text.length; at += LINE) folded += `\r\n ${text.slice(at, at + LINE)}`;
  return folded;
}
