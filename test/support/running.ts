import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { AdvancingClock } from '../../app/clock';
import { readConfig } from '../../app/config';
import { startKurir, type Kurir } from '../../app/kurir';
import type { FirstRun } from '../../app/first-run';
import type { Message } from '../../domain/message';

/** Free ports, no rate limit in the way, and a data dir of its own. */
export const testEnv = (dataDir: string): Record<string, string> => ({
  KURIR_DATA_DIR: dataDir,
  KURIR_HTTP_PORT: '0',
  KURIR_SMTP_PORT: '0',
  KURIR_SMTPS_PORT: '0',
  KURIR_BOUNCE_PORT: '0',
  KURIR_SANDBOX_PORT: '0',
  KURIR_API_RATE_PER_MINUTE: '1000000',
  KURIR_LOG_LEVEL: 'silent',
});

export const temporaryDir = (): string => mkdtempSync(join(tmpdir(), 'kurir-test-'));

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** The API as a caller with a key sees it. */
export class Caller {
  constructor(
    readonly baseUrl: string,
    readonly key: string,
  ) {}

  async request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  get(path: string): Promise<Answer> {
    return this.request('GET', path);
  }

  /** Sends a mail to the address; answers the message id. */
  async send(to: string, domainId: number, more: object = {}): Promise<string> {
    const mail = { to, subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: domainId, ...more };
    const { status, body } = await this.request('POST', '/messages', mail);
    if (status !== 201) throw new Error(`POST /messages answered ${status}: ${JSON.stringify(body)}`);
    return body.message_id as string;
  }
}

/** The whole program in this process, on a data dir of its own. */
export class Running {
  private constructor(
    readonly kurir: Kurir,
    readonly clock: AdvancingClock,
    readonly demo: FirstRun,
    readonly api: Caller,
    readonly dataDir: string,
  ) {}

  static async start(env: Record<string, string> = {}, clock = new AdvancingClock()): Promise<Running> {
    return Running.startOn(temporaryDir(), env, clock);
  }

  /** Starts on a data dir that may have been used before; the ports are new ones. */
  static async startOn(dataDir: string, env: Record<string, string>, clock: AdvancingClock): Promise<Running> {
    const config = readConfig({ ...testEnv(dataDir), ...env });
    const kurir = await startKurir(config, { clock, logger: pino({ level: 'silent' }) });
    const demo = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
    return new Running(kurir, clock, demo, new Caller(kurir.baseUrl, demo.api_key), dataDir);
  }

  send(to: string, more: object = {}): Promise<string> {
    return this.api.send(to, this.demo.sending_domain_id, more);
  }

  get stores(): Kurir['services']['engine']['stores'] {
    return this.kurir.services.engine.stores;
  }

  /** Waits until the message is as asked; fails with what it is instead. */
  async until(id: string, what: string, holds: (message: Message) => boolean, patience = 15_000): Promise<Message> {
    const end = Date.now() + patience;
    for (;;) {
      const message = await this.stores.messages.get(id);
      if (message && holds(message)) return message;
      if (Date.now() > end) throw new Error(`waited for ${what}; the message is ${JSON.stringify(message)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  untilStatus(id: string, status: Message['status']): Promise<Message> {
    return this.until(id, status, (message) => message.status === status);
  }

  /** Coins of a message, once what is on its way to the ledger has arrived. */
  async coinsOf(id: string, expected: number): Promise<string[]> {
    const message = (await this.stores.messages.get(id))!;
    const end = Date.now() + 10_000;
    for (;;) {
      const rows = await this.stores.coins.ofMessage(message.workspaceId, id);
      const sum = rows.reduce((total, { amount }) => total + amount, 0);
      const ids = rows.map((row) => row.id.replace(id, 'm')).sort();
      if (sum === expected) return ids;
      if (Date.now() > end) throw new Error(`waited for ${expected} coins; the rows are ${ids.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Stops and leaves the data for another life. */
  async rest(): Promise<string> {
    await this.kurir.stop();
    return this.dataDir;
  }

  async stop(): Promise<void> {
    rmSync(await this.rest(), { recursive: true, force: true });
  }
}
