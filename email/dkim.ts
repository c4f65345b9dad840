import { createHash, sign, type KeyObject } from 'node:crypto';
import type { ComposedMail } from './compose';
import { relaxedBody, relaxedHeader } from './dkim-canonical';
import { headerBlock, type MailHeader } from './mail-headers';

/** Who signs, and when. */
interface DkimSigner {
  /** The sending domain, ASCII. */
  domain: string;
  selector: string;
  /** From `loadDkimKey`. */
  key: KeyObject;
  /** ms */
  now: number;
}

/** Fields that are signed when they are there. */
const SIGNED = [
  'From',
  'Reply-To',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'MIME-Version',
  'Content-Type',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
];
/** Fields named once more than they are there, so that nobody can add another one (RFC 6376 section 8.15). */
const OVERSIGNED = ['From', 'Reply-To', 'To', 'Subject', 'Date', 'Content-Type'];
const LINE = 72;

/**
 * The mail with its DKIM signature (RFC 6376: rsa-sha256, relaxed/relaxed), as the bytes to send. The RSA operation runs
 * on the thread pool. Rejects when the key cannot sign; an unsigned mail is never returned.
 */
export async function signMail(mail: Pick<ComposedMail, 'headers' | 'body'>, signer: DkimSigner): Promise<Buffer> {
  const signed = SIGNED.flatMap((name) => mail.headers.filter((header) => header.name === name));
  const names = [...signed.map((header) => header.name), ...OVERSIGNED];
  const unsigned: MailHeader = { name: 'DKIM-Signature', value: signatureTags(names, hashOf(mail.body), signer) };
  const data = [...signed, unsigned].map(relaxedHeader).join('\r\n');
  const signature = await rsaSha256(Buffer.from(data, 'utf8'), signer.key);
  const value = unsigned.value + foldBase64(signature.toString('base64'));
  const head = headerBlock([{ name: unsigned.name, value }, ...mail.headers]);
  return Buffer.concat([Buffer.from(`${head}\r\n`, 'utf8'), mail.body]);
}

function signatureTags(names: readonly string[], bodyHash: string, { domain, selector, now }: DkimSigner): string {
  const time = Math.floor(now / 1000);
  return (
    `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain};\r\n s=${selector}; t=${time};\r\n` +
    ` h=${foldNames(names)};\r\n bh=${bodyHash};\r\n b=`
  );
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(relaxedBody(body)).digest('base64');
}

function rsaSha256(data: Buffer, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', data, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });
}

function foldNames(names: readonly string[]): string {
  let folded = '';
  let column = ' h='.length;
  for (const [i, name] of names.entries()) {
    const text = i === 0 ? name : `:${name}`;
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
  return (text.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []).join('\r\n ');
}
