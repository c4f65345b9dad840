import { writeFileSync } from 'node:fs';
import type { Kind } from '../sink/behaviour';

/** Why a contact gets no campaign. */
type Reason = 'unsubscribed' | 'bounced' | 'complained' | 'suppressed';

/** A contact of the proof, who gets its mail or not. */
export interface Person {
  to: string;
  /** Why it is skipped; null: it gets the campaign. */
  skipped: Reason | null;
}

/** Of a thousand contacts, those that are not just delivered; far fewer bad ones than the brake lets pass. */
const SKIPPED: readonly { every: number; at: number; is: Reason }[] = [
  { every: 100, at: 10, is: 'unsubscribed' },
  { every: 200, at: 20, is: 'bounced' },
  { every: 200, at: 120, is: 'complained' },
  { every: 100, at: 30, is: 'suppressed' },
];
const ODD: readonly { every: number; at: number; is: Kind }[] = [
  { every: 100, at: 40, is: 'hardbounce' },
  { every: 200, at: 60, is: 'complaint' },
  { every: 100, at: 70, is: 'reject' },
  { every: 500, at: 80, is: 'greylist' },
  { every: 500, at: 90, is: 'drop' },
];
/** A line that is refused comes before every contact with this remainder. */
const REFUSED = { every: 100, at: 50 };
/** Lines that are refused, by turns: no address, and a cell too many. */
const BAD_LINES = ['bukan-alamat,Budi', 'budi@pelanggan.test,Budi,Jakarta'];

/** Contact `n` of the proof, from 0. */
export function person(n: number): Person {
  const is = <T>(of: readonly { every: number; at: number; is: T }[]): T | undefined =>
    of.find(({ every, at }) => n % every === at)?.is;
  return { to: `${is(ODD) ?? 'delivered'}+${n}@pelanggan.test`, skipped: is(SKIPPED) ?? null };
}

/** Writes those with a status of their own to a CSV file, and returns how many. */
export function writeKnown(file: string, people: readonly Person[]): number {
  const known = people.filter(({ skipped }) => skipped !== null && skipped !== 'suppressed');
  const lines = known.map(({ to, skipped }) => `${to},Lama,${skipped}\n`);
  writeFileSync(file, `email,name,status\n${lines.join('')}`);
  return known.length;
}

/** Writes all of them to a CSV file as a spreadsheet would. Returns the numbers of the lines that must be refused. */
export function writeAudience(file: string, people: readonly Person[]): number[] {
  const refused: number[] = [];
  const lines = ['\ufeffemail,name'];
  for (const [n, { to }] of people.entries()) {
    if (n % REFUSED.every === REFUSED.at) {
      refused.push(lines.length + 1);
      lines.push(BAD_LINES[refused.length % BAD_LINES.length]!);
    }
    lines.push(`${to},"Pelanggan, ${n}"`);
  }
  writeFileSync(file, lines.map((line) => `${line}\r\n`).join(''));
  return refused;
}
