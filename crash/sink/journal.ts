import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Kind, ReportKind } from './behaviour';

/** One line of the journal: a mail that came in whole (`at`: real time, ms), or a report that was taken or refused. */
export type Entry =
  | { what: 'mail'; at: number; messageId: string; envid: string; to: string; kind: Kind; fault: string | null }
  | { what: 'report'; messageId: string; kind: ReportKind; reply: string };

/** What the sink has seen, on the disk line by line before anybody is answered. */
export class Journal {
  private readonly fd: number;

  constructor(file: string) {
    this.fd = openSync(file, 'a');
  }

  write(entry: Entry): void {
    writeSync(this.fd, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.fd);
  }

  close(): void {
    closeSync(this.fd);
  }
}

/** Every entry of a journal file. */
export function readJournal(file: string): Entry[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry);
}
