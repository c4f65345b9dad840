import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ContactStatus } from '../../../domain/contacts/contact';
import type { SkipReason } from '../../../domain/campaigns/campaign-start';
import type { Kind } from '../sink/behaviour';

/** A contact of the proof, who gets its mail or not. */
export interface Person {
  email: string;
  /** What the sink does with its mail. */
  kind: Kind;
  /** Why it is skipped; null: it gets the campaign. */
  skipped: SkipReason | null;
}

/** Of a thousand contacts, those that are not just delivered; far fewer bad ones than the brake lets pass. */
const ODD: readonly { every: number; at: number; is: Kind | SkipReason }[] = [
  { every: 100, at: 10, is: 'unsubscribed' },
  { every: 200, at: 20, is: 'bounced' },
  { every: 200, at: 120, is: 'complained' },
  { every: 100, at: 30, is: 'suppressed' },
  { every: 100, at: 40, is: 'hardbounce' },
  { every: 200, at: 60, is: 'complaint' },
  { every: 100, at: 70, is: 'reject' },
  { every: 500, at: 80, is: 'greylist' },
  { every: 500, at: 90, is: 'drop' },
];
const SKIPPED: readonly string[] = ['unsubscribed', 'bounced', 'complained', 'suppressed'] satisfies SkipReason[];
/** A line that is refused comes before every contact with this remainder. */
const REFUSED = { every: 100, at: 50 };
/** Lines that are refused, by turns: no address, and a cell too many. */
const BAD_LINES = ['bukan-alamat,Budi', 'budi@pelanggan.test,Budi,Jakarta'];

/** Contact `n` of the proof, from 0. */
export function person(n: number): Person {
  const odd = ODD.find(({ every, at }) => n % every === at)?.is ?? 'delivered';
  const isSkipped = SKIPPED.includes(odd);
  const kind = isSkipped ? 'delivered' : (odd as Kind);
  return { email: `${kind}+${n}@pelanggan.test`, kind, skipped: isSkipped ? (odd as SkipReason) : null };
}

/** How many of `count` contacts have a reason to be skipped, by reason. */
export function countSkipped(count: number): Map<SkipReason, number> {
  const counts = new Map<SkipReason, number>();
  for (let n = 0; n < count; n += 1) {
    const { skipped } = person(n);
    if (skipped !== null) counts.set(skipped, (counts.get(skipped) ?? 0) + 1);
  }
  return counts;
}

/** Writes those with a status of their own to a CSV file, and returns how many. */
export async function writeKnown(file: string, count: number): Promise<number> {
  let known = 0;
  await write(file, function* () {
    yield 'email,name,status\n';
    for (let n = 0; n < count; n += 1) {
      const { email, skipped } = person(n);
      if (skipped === null || skipped === 'suppressed') continue;
      known += 1;
      yield `${email},Lama ${n},${skipped satisfies SkipReason as ContactStatus}\n`;
    }
  });
  return known;
}

/** Writes all of them to a CSV file as a spreadsheet would. Returns the numbers of the lines that must be refused. */
export async function writeAudience(file: string, count: number): Promise<number[]> {
  const refused: number[] = [];
  let line = 1;
  await write(file, function* () {
    yield '\ufeffemail,name\r\n';
    for (let n = 0; n < count; n += 1) {
      if (n % REFUSED.every === REFUSED.at) {
        refused.push(++line);
        yield `${BAD_LINES[refused.length % BAD_LINES.length]}\r\n`;
      }
      line += 1;
      yield `${person(n).email},"Pelanggan, ${n}"\r\n`;
    }
  });
  return refused;
}

const write = (file: string, lines: () => Generator<string>): Promise<void> =>
  pipeline(Readable.from(lines()), createWriteStream(file));
