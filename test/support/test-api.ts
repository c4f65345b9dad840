import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Middleware } from 'koa';
import request from 'supertest';
import { v7 } from 'uuid';
import { createApi } from '../../api/app';
import type { ApiDeps } from '../../api/deps';
import { apiServer } from '../../api/http/api-server';
import { bodyBudgets } from '../../api/http/body-memory';
import { inlineBodyParser } from '../../api/http/body-parser';
import { servedHosts } from '../../api/http/served-hosts';
import { countByAddress } from '../../api/rate-limit/rate-headers';
import { inProcessRateLimiter } from '../../api/rate-limit/in-process-rate-limiter';
import type { AdvancingClock } from '../../lib/advancing-clock';
import { hostResolver, lookUpLocally } from '../../operations/webhooks/resolve-host';
import { createCoinsConsumer } from '../../consumers/coins';
import type { LedgerEntry } from '../../domain/ledger/coins';
import type { ConversionRecord } from '../../streams/record-values';
import { DAY } from '../../lib/clock';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { SCOPES, type Scope, type Workspace } from '../../domain/settings/workspace';
import { openEmbedded } from '../../stores/embedded/open';
import type { Engine } from '../../stores/ports/engine';
import type { NewWorkspace } from '../../stores/ports/workspace-store';
import { createWebhookTargets } from '../../operations/webhooks/targets';
import { holdToContract } from './hold-to-contract';
import { aDomain, aGrant, anApiKey, aWorkspace, nextSerial, TEST_KEYRING } from './builders';
import type { LogRecord } from '../../streams/records';
import { recordsIn } from '../../proof/world/embedded-log-view';
import { frozenClock } from './clock';
import { PATIENCE } from './limits';

/** Nothing listens there. */
const NO_DNS = '127.0.0.1:1';
const FILE = 'kurir.db';

export interface TestApiOptions {
  ratePerMinute?: number;
  trustedHops?: number;
  /** Memory for request bodies, bytes. */
  bodyMemory?: number;
  hosts?: string[];
  /** Hosts that webhooks may reach though they are private. */
  privateHosts?: string[];
  mount?: Middleware;
  /** The DNS server for the hosts of webhooks, such as `127.0.0.1:53`; without it, none answers. */
  dns?: string;
  /** Opens the engine; by default the embedded one, in its own folder. */
  engine?: (clock: AdvancingClock) => Promise<Engine>;
  /** Replaces dependencies of the API, e.g. with a store that fails. */
  adapt?: (deps: ApiDeps) => ApiDeps;
}

export interface AccountOptions {
  coins?: number;
  premium?: boolean;
  scopes?: Scope[];
  profile?: Partial<NewWorkspace>;
}

/** A workspace that may send: key, active domain, coins. */
export interface Account {
  workspace: Workspace;
  /** The text of the API key. */
  key: string;
  keyId: number;
  domain: SendingDomain;
}

/** Every field an answer of the API may have; a test reads those its answer has. */
export interface AnswerBody extends Record<string, unknown> {
  message: string;
  code: string;
  errors: Record<string, string[]>;
  message_id: string;
  reason: string;
  data: { message_id: string }[];
  total: number;
  modules: string[];
  workspace: { business_address_set: boolean };
  api_key: { scopes: Scope[] };
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: AnswerBody;
  text: string;
}

/** The part of Supertest's chain that tests use, with a typed answer. */
export interface PendingRequest extends PromiseLike<Answer> {
  set(name: string, value: string): PendingRequest;
  set(headers: Record<string, string>): PendingRequest;
  query(parameters: object): PendingRequest;
  type(type: string): PendingRequest;
  send(body: string | object): PendingRequest;
}

/** The API on an engine, listening on its own port. The clock only moves when a test advances it. */
export class TestApi {
  /** The logged errors, in order. */
  readonly logged: object[] = [];

  readonly keyring = TEST_KEYRING;
  readonly publicUrl = 'https://mail.example.com';
  readonly clock: AdvancingClock = frozenClock();
  engine!: Engine;
  server!: Server;
  private dir!: string;

  private constructor() {}

  static async open(options: TestApiOptions = {}): Promise<TestApi> {
    const api = new TestApi();
    await api.start(options);
    return api;
  }

  /** Of the file that calls it: opened before its first case, closed after its last. */
  static ofFile(options: TestApiOptions = {}): TestApi {
    const api = new TestApi();
    beforeAll(() => api.start(options));
    afterAll(() => api.close());
    return api;
  }

  /** One account for all cases of the file that calls it. */
  accountOfFile(options?: AccountOptions): Account {
    const account = {} as Account;
    beforeAll(async () => void Object.assign(account, await this.account(options)));
    return account;
  }

  /** The account of the case that runs, a new one for each. */
  accountOfCase(options?: AccountOptions): Account {
    const account = {} as Account;
    beforeEach(async () => void Object.assign(account, await this.account(options)));
    return account;
  }

  private async start(options: TestApiOptions): Promise<void> {
    const dir = (this.dir = await mkdtemp(join(tmpdir(), 'kurir-api-')));
    const { engine = (clock) => openEmbedded({ file: join(dir, FILE), clock }) } = options;
    this.engine = await engine(this.clock);
    await this.listen(options);
  }

  get stores(): Engine['stores'] {
    return this.engine.stores;
  }

  get log(): Engine['log'] {
    return this.engine.log;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  private async listen({
    ratePerMinute = 100_000,
    trustedHops = 0,
    hosts = [],
    privateHosts = [],
    bodyMemory = 128_000_000,
    mount,
    dns = NO_DNS,
    adapt,
  }: TestApiOptions): Promise<void> {
    const deps: ApiDeps = {
      stores: this.stores,
      log: this.log,
      keyring: this.keyring,
      clock: this.clock,
      newId: () => v7({ msecs: this.clock.now(), seq: nextSerial() }),
      rateLimiter: inProcessRateLimiter(this.clock, ratePerMinute),
      mayAct: () => true,
      bodies: bodyBudgets(bodyMemory),
      bodyParser: inlineBodyParser,
      ratePerMinute,
      publicUrl: () => this.publicUrl,
      servesHost: servedHosts({ publicUrl: () => this.publicUrl, hosts, listensOn: '127.0.0.1' }),
      trustedHops,
      webhookTargets: createWebhookTargets({
        privateHosts,
        ownHooks: () => null,
        resolveHost: hostResolver({ servers: [dns] }),
        resolveLocally: lookUpLocally,
      }),
      logger: { error: (details) => void this.logged.push(details), warn: () => {}, debug: () => {} },
      ...(mount && { mount }),
    };
    const app = createApi(adapt ? adapt(deps) : deps);
    this.server = apiServer(holdToContract(app.callback()), { count: countByAddress(deps.rateLimiter) });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    await this.engine.close();
    await rm(this.dir, { recursive: true });
  }

  async account({
    coins = 1_000,
    premium = false,
    scopes = [...SCOPES],
    profile,
  }: AccountOptions = {}): Promise<Account> {
    const workspace = await this.stores.workspaces.create(aWorkspace(profile));
    const domain = await this.stores.domains.create(aDomain(workspace.id));
    if (coins !== 0)
      await this.stores.coins.post(premium ? this.purchase(workspace, coins) : aGrant(workspace.id, coins));
    return { workspace, domain, ...(await this.key(workspace, scopes)) };
  }

  /** A further key of a workspace. */
  async key({ id }: Workspace, scopes: Scope[]): Promise<{ key: string; keyId: number }> {
    const key = `kurir_sk_${String(nextSerial()).padStart(32, 'k')}`;
    const stored = anApiKey(id, { scopes, hash: this.keyring.hashCredential(key) });
    return { key, keyId: (await this.stores.credentials.createKey(stored)).id };
  }

  private purchase({ id }: Workspace, coins: number): LedgerEntry {
    return aGrant(id, coins, { kind: 'topup', purchase: { expiresAt: this.clock.now() + 30 * DAY } });
  }

  get(path: string, key?: string): PendingRequest {
    return this.ask('get', path, key);
  }

  post(path: string, key?: string): PendingRequest {
    return this.ask('post', path, key);
  }

  ask(
    method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options',
    path: string,
    key?: string,
  ): PendingRequest {
    const asking: PendingRequest = request(this.server)[method](path);
    return key === undefined ? asking : asking.set('Authorization', `Bearer ${key}`);
  }

  /** POST /v1/messages with a valid mail, with the changes of the test. */
  send({ key, domain }: Account, change: object = {}, headers: Record<string, string> = {}): PendingRequest {
    return this.post('/v1/messages', key).set(headers).send(aMail(domain, change));
  }

  /** The reported sales, from their log records, in order. */
  conversions(): ConversionRecord[] {
    return recordsIn(join(this.dir, FILE), 'conversions').map(({ value }) => value as ConversionRecord);
  }

  /** Books the ledger entries that the API published, as the coins group does; returns them. */
  async bookCoins(): Promise<LedgerEntry[]> {
    const consumer = createCoinsConsumer({ stores: this.stores });
    const reader = await this.log.reader('coins');
    const entries: LedgerEntry[] = [];
    while ((await this.log.lag('coins')) > 0) {
      const records = await reader.poll(100, AbortSignal.timeout(PATIENCE));
      for (const record of records) {
        const { topic, partition, offset } = record;
        const entry = record as LogRecord<'coins.entries'>;
        await consumer.handle(entry);
        entries.push(entry.value);
        await reader.commit([{ topic, partition, next: offset + 1 }]);
      }
    }
    await reader.close();
    return entries;
  }

  async balance({ workspace }: Account): Promise<number> {
    await this.bookCoins();
    return (await this.stores.coins.account(workspace.id)).balance;
  }
}

/** The body of a valid POST /messages. */
export function aMail(domain: SendingDomain, change: object = {}): object {
  return {
    to: `penerima${nextSerial()}@contoh.test`,
    subject: 'Kabar dari toko',
    html: '<p>Halo {{nama|Kak}}</p>',
    sending_domain_id: domain.id,
    ...change,
  };
}
