import { afterAll } from '@jest/globals';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogReader } from '../../../consumers/postfix-log/log-reader';
import { Keyring } from '../../../domain/keyring';
import { verpLocalPart } from '../../../domain/messages/message-tokens';
import { openEmbedded } from '../../../stores/embedded/open';
import type { Engine } from '../../../stores/ports/engine';
import type { OutgoingRecord } from '../../../streams/records';
import { frozenClock } from '../../support/clock';
import { keepingLogger } from '../../support/log-lines';

const folder = mkdtempSync(join(tmpdir(), 'kurir-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

const temporaryFolder = (): string => mkdtempSync(join(folder, 'scene-'));

export const openStores = (): Promise<Engine> =>
  openEmbedded({ file: join(temporaryFolder(), 'kurir.sqlite'), clock: frozenClock() });

/** A log that a test writes as Postfix does, and its readers. */
export class LogScene {
  readonly clock = frozenClock();
  readonly keyring = new Keyring('0123456789abcdef0123456789abcdef');
  readonly path = join(temporaryFolder(), 'mail.log');
  readonly logger = keepingLogger();
  readonly published: OutgoingRecord[] = [];

  constructor(private readonly engine: Engine) {
    writeFileSync(this.path, '');
  }

  /** Adds lines, such as `qmgr[1]: A1: removed`. */
  write(...lines: readonly string[]): void {
    const date = new Date(this.clock.now()).toISOString();
    appendFileSync(this.path, lines.map((line) => `${date} mta postfix/${line}\n`).join(''));
  }

  /** The lines of a mail that Postfix takes. */
  taken(messageId: string, queueId: string): string[] {
    const sender = `${verpLocalPart(this.keyring, messageId)}@bounce.toko.test`;
    return [
      `smtpd[7]: ${queueId}: client=localhost[127.0.0.1]`,
      `cleanup[8]: ${queueId}: message-id=<${messageId}@toko.test>`,
      `qmgr[9]: ${queueId}: from=<${sender}>, size=300, nrcpt=1 (queue active)`,
      `smtpd[7]: disconnect from localhost[127.0.0.1] data=1`,
    ];
  }

  deferral(queueId: string, said: string): string {
    return `smtp[5]: ${queueId}: to=<budi@good.test>, relay=mx[192.0.2.1]:25, delay=1, dsn=4.7.1, status=deferred (host mx[192.0.2.1] said: ${said} (in reply to RCPT TO command))`;
  }

  reader(): LogReader {
    const { clock, keyring, path, logger } = this;
    const publish = async (records: readonly OutgoingRecord[]): Promise<void> => void this.published.push(...records);
    return new LogReader({ path, place: 'here', stores: this.engine.stores, log: { publish }, keyring, clock, logger });
  }
}

/** Reads until nothing is left; returns when the end was read, ms. */
export async function readAll(reader: LogReader): Promise<number | null> {
  for (;;) {
    const { more, readTo } = await reader.readNext();
    if (!more) return readTo;
  }
}
