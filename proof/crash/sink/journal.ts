import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Kind, ReportKind } from './behaviour';

/** One line of the journal: a mail received in full (`at`: real time, ms), or a report that was accepted or refused. */
export type Entry =
  | { what: 'mail'; at: number; messageId: string; envid: string; to: string; kind: Kind; fault: string | null }
  | { what: 'report'; messageId: string; kind: ReportKind; reply: string };

/** A log of everything the sink received. Each line is on disk before the sink answers. */
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

/** Reads every entry of a journal file; none when the file is missing. */
export function readJournal(file: string): Entry[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry);
}
