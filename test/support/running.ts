import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Accounts } from '../../operations/installation/accounts';
import { AdvancingClock } from '../../lib/advancing-clock';
import { readConfig } from '../../operations/config/config';
import { startKurir, type Kurir, type KurirOptions } from '../../app/kurir';
import { demoAddresses, makeDemo, type FirstRun } from '../../operations/installation/first-run';
import { embeddedInstallation, type Installation } from '../../proof/crash/installation';
import type { Message } from '../../domain/messages/message';
import { GROUPS, type GroupName } from '../../streams/topics';
import { giveUpAt } from './limits';
import { until } from '../contract/helpers';

/** Free ports, and practically no rate limit. */
const TEST_ENV = {
  KURIR_HTTP_PORT: '0',
  KURIR_SMTP_PORT: '0',
  KURIR_SMTPS_PORT: '0',
  KURIR_BOUNCE_PORT: '0',
  KURIR_SANDBOX_PORT: '0',
  // Off: many services run on one machine.
  KURIR_METRICS_PORT: '0',
  KURIR_API_RATE_PER_MINUTE: '1000000',
  KURIR_LOG_LEVEL: 'silent',
};

/** The same for a data dir, or another installation. */
export const testEnv = (on: string | Installation): Record<string, string> => ({
  ...TEST_ENV,
  ...(typeof on === 'string' ? { KURIR_DATA_DIR: on } : on.env),
});

/** An installation on the embedded engine in its own data dir. */
export const temporaryInstallation = (): ReturnType<typeof embeddedInstallation> =>
  embeddedInstallation(temporaryDir());

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

  /** Sends a mail to the address; returns the message id. */
  async send(to: string, domainId: number, more: object = {}): Promise<string> {
    const mail = { to, subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: domainId, ...more };
    const { status, body } = await this.request('POST', '/messages', mail);
    if (status !== 201) throw new Error(`POST /messages answered ${status}: ${JSON.stringify(body)}`);
    return body.message_id as string;
  }
}

/** The whole program in this process, on its own installation. */
export class Running {
  private constructor(
    readonly kurir: Kurir,
    readonly clock: AdvancingClock,
    readonly demo: FirstRun,
    readonly api: Caller,
    readonly installation: Installation,
  ) {}

  static async start(env: Record<string, string> = {}, clock = new AdvancingClock()): Promise<Running> {
    return Running.startOn(temporaryInstallation(), env, clock);
  }

  /** Starts on a new or used installation, with new ports. */
  static async startOn(
    installation: Installation,
    env: Record<string, string> = {},
    clock = new AdvancingClock(),
    options: Partial<KurirOptions> = {},
  ): Promise<Running> {
    const config = readConfig({ ...testEnv(installation), ...env });
    const kurir = await startKurir(config, { clock, logger: pino({ level: 'silent' }), ...options });
    const demo = await demoOf(kurir);
    return new Running(kurir, clock, demo, new Caller(kurir.baseUrl, demo.api_key), installation);
  }

  get dataDir(): string {
    return this.kurir.services.config.dataDir;
  }

  send(to: string, more: object = {}): Promise<string> {
    return this.api.send(to, this.demo.sending_domain_id, more);
  }

  get stores(): Kurir['services']['engine']['stores'] {
    return this.kurir.services.engine.stores;
  }

  /** Waits until the message meets the condition; fails with its last state. */
  async until(id: string, what: string, holds: (message: Message) => boolean): Promise<Message> {
    const end = giveUpAt();
    for (;;) {
      const message = await this.stores.messages.get(id);
      if (message && holds(message)) return message;
      if (performance.now() > end) throw new Error(`waited for ${what}; the message is ${JSON.stringify(message)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  untilStatus(id: string, status: Message['status']): Promise<Message> {
    return this.until(id, status, (message) => message.status === status);
  }

  /** The coins of a message, once pending ledger entries are booked. */
  async coinsOf(id: string, expected: number): Promise<string[]> {
    const message = (await this.stores.messages.get(id))!;
    const end = giveUpAt();
    for (;;) {
      const rows = await this.stores.coins.ofMessage(message.workspaceId, id);
      const sum = rows.reduce((total, { amount }) => total + amount, 0);
      const ids = rows.map((row) => row.id.replace(id, 'm')).sort();
      if (sum === expected) return ids;
      if (performance.now() > end) throw new Error(`waited for ${expected} coins; the rows are ${ids.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /**
   * Advances time and runs what falls due: step by step by time travel; without it all at once, when nothing is
   * pending.
   */
  async advance(ms: number): Promise<void> {
    if (this.kurir.travel) return void (await this.kurir.travel.advance(ms));
    await this.untilQuiet();
    this.clock.advance(ms);
  }

  /** Stops it and keeps the data for another start. */
  async rest(): Promise<Installation> {
    await this.kurir.stop();
    return this.installation;
  }

  async stop(): Promise<void> {
    await (await this.rest()).remove();
  }

  /** Waits until every record of the log is handled, so that no hand-off is under way. */
  private async untilQuiet(): Promise<void> {
    const { log } = this.kurir.services.engine;
    for (const group of Object.keys(GROUPS) as GroupName[]) {
      await until(async () => (await log.lag(group)) === 0);
    }
  }
}

/** The demo workspace: as written by the first start on a data dir, else as created by `kurir demo`. */
async function demoOf({ services, baseUrl }: Kurir): Promise<FirstRun> {
  const { config, engine, keyring, clock } = services;
  const file = join(config.dataDir, 'first-run.json');
  if (config.engine === 'embedded') return JSON.parse(readFileSync(file, 'utf8')) as FirstRun;
  const accounts = new Accounts({ stores: engine.stores, keyring, clock });
  const addresses = demoAddresses(config, baseUrl.replace(/\/v1$/, ''));
  return makeDemo(engine.stores, { accounts, clock, owner: 'test' }, addresses);
}
