import { Accounts } from '../../operations/installation/accounts';
import type { Installation } from '../../proof/crash/installation';
import { SCOPES } from '../../domain/settings/workspace';
import type { Running } from '../support/running';
import { Caller, Running as Program } from '../support/running';
import { aCampaign, aJourney } from '../support/marketing';
import { makeTenant } from '../support/tenant';
import type { PlannedRequest } from './requests';

/** Ids of things, by the name of their list in a path. */
type Pools = Record<string, string[]>;

/** Most ids of one kind that are kept. */
const POOL = 60;

/** A running service, and two workspaces in it: one to call, one whose ids are not to be reached. */
export class Target {
  private constructor(
    private readonly running: Running,
    private readonly keys: Readonly<Record<PlannedRequest['key'], string | null>>,
    private readonly own: Pools,
    private readonly foreign: Pools,
  ) {}

  static async start(installation: Installation): Promise<Target> {
    const running = await Program.startOn(installation, { KURIR_API_RATE_PER_MINUTE: '100000000' });
    const accounts = accountsOf(running);
    const [mine, other] = [
      await makeTenant(running, 'sendiri', 'premium'),
      await makeTenant(running, 'lain', 'premium'),
    ];
    await accounts.topUp(mine.workspaceId, 1_000_000, 'fuzz', null);
    const key = async (workspaceId: number, scopes: readonly (typeof SCOPES)[number][]): Promise<string> =>
      (await accounts.createKey(workspaceId, { name: 'fuzz', scopes: [...scopes] })).text;
    const keys = {
      own: await key(mine.workspaceId, SCOPES),
      foreign: await key(other.workspaceId, SCOPES),
      narrow: await key(mine.workspaceId, ['manage_webhooks']),
      wrong: 'kurir_sk_00000000000000000000000000000000',
      none: null,
    };
    const own = await furnish(running, mine.workspaceId, mine.domainId, keys.own);
    const foreign = await furnish(running, other.workspaceId, other.domainId, keys.foreign);
    return new Target(running, keys, own, foreign);
  }

  get baseUrl(): string {
    return this.running.api.baseUrl;
  }

  keyOf({ key }: PlannedRequest): string | null {
    return this.keys[key];
  }

  /** The text with ids in place of its tokens; in JSON numbers lose their quotes. */
  fill(text: string): string {
    return text.replace(/"«(\w+) (\w+) (\d+)»"|«(\w+) (\w+) (\d+)»/g, (_token, ...groups: (string | undefined)[]) => {
      const quoted = groups[0] !== undefined;
      const [whose, things = '', n] = quoted ? groups.slice(0, 3) : groups.slice(3, 6);
      const pool = (whose === 'own' ? this.own : this.foreign)[things] ?? [];
      const id = pool.at(-1 - (Number(n) % Math.max(1, pool.length))) ?? '1';
      return quoted && !/^\d+$/.test(id) ? `"${id}"` : id;
    });
  }

  /** Keeps the id of what an answer says was made, and forgets what was deleted. `target`: the path as it was sent. */
  learn(method: string, target: string, status: number, body: unknown): void {
    const [things = '', gone = ''] = target.split('?', 1)[0]!.split('/').slice(2);
    const pool = this.own[things];
    if (method === 'DELETE' && status === 200 && pool) this.own[things] = pool.filter((id) => id !== gone);
    const { id, message_id: message } = (body ?? {}) as { id?: number; message_id?: string };
    const made = message ?? id;
    if (method !== 'POST' || status !== 201 || made === undefined || !pool || gone !== '') return;
    pool.push(String(made));
    if (pool.length > POOL) pool.shift();
  }

  async stop(): Promise<void> {
    await this.running.stop();
  }
}

function accountsOf(running: Running): Accounts {
  const { engine, keyring, clock } = running.kurir.services;
  return new Accounts({ stores: engine.stores, keyring, clock });
}

/** Puts one thing or a few of each kind into a workspace; answers their ids. */
async function furnish(running: Running, workspaceId: number, domainId: number, key: string): Promise<Pools> {
  const api = new Caller(running.api.baseUrl, key);
  const make = async (path: string, body: object): Promise<string> => {
    const { status, body: answer } = await api.request('POST', path, body);
    if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`);
    return String(answer['message_id'] ?? answer['id']);
  };
  const { workspaces, domains, campaigns, journeys } = running.stores;
  const workspace = (await workspaces.get(workspaceId))!;
  const domain = (await domains.get(domainId))!;
  const mail = { to: 'delivered@example.test', subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: domainId };
  const audiences = [await make('/audiences', { name: 'Satu' }), await make('/audiences', { name: 'Dua' })];
  const contacts = await Promise.all(
    [1, 2, 3].map((n) => make('/contacts', { email: `kontak${n}@example.test`, consent: true })),
  );
  return {
    domains: [String(domainId)],
    senders: [`faktur@${domain.domain}`],
    messages: [await make('/messages', mail), await make('/messages', mail)],
    contacts,
    audiences,
    webhooks: [await make('/webhooks', { url: 'https://93.184.216.34/hook', event_types: ['open'] })],
    campaigns: [String((await campaigns.create(aCampaign({ workspace, domain }, Number(audiences[0])))).id)],
    journeys: [
      String((await journeys.create(aJourney(workspaceId))).id),
      String((await journeys.create(aJourney(workspaceId, { status: 'draft' }))).id),
    ],
  };
}
