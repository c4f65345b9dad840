import { existsSync, readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock';
import { Keyring } from '../../domain/keyring';
import type { Engine } from '../../stores/ports/engine';
import type { AuditRuns } from '../audit/audit-runs';
import { Accounts } from '../installation/accounts';
import { AdvancingClock } from '../../lib/advancing-clock';
import type { EngineTools } from '../installation/engine-tools';
import { noteOf, type Note } from './note';
import type { Config } from '../config/config';
import { checkedKeyring } from '../installation/checked-keyring';
import { StartError } from '../../lib/start-error';

/** What the command line works with: the data, whether the service runs or not, and the name of the operator. */
export interface Operator {
  config: Config;
  clock: Clock;
  stores: Engine['stores'];
  log: Engine['log'];
  tools: EngineTools;
  /** The keyring of this data. Throws StartError when the master secret is missing or is not the one of this data. */
  keyring: () => Promise<Keyring>;
  accounts(): Promise<Accounts>;
  /** Null: no service runs in this process. */
  audits: AuditRuns | null;
  /** The caller's name in the trail. */
  actor: string;
  /** Writes to the operator's audit trail; durable once it resolves. Comes before the action it records. */
  note: Note;
  close(): Promise<void>;
}

export interface OperatorOptions {
  tools: EngineTools;
  clock?: AdvancingClock;
  /** Name in the audit trail; default: the user of the operating system. */
  actor?: string;
}

/** Opens the data for the command line. Throws StartError, a SchemaError and UnavailableError. */
export async function openOperator(config: Config, options: OperatorOptions): Promise<Operator> {
  const clock = options.clock ?? new AdvancingClock();
  const actor = options.actor ?? osUser();
  const engine = await options.tools.attach(config, clock);
  const { stores, log } = engine;
  let keyring: Promise<Keyring> | null = null;
  const getKeyring = (): Promise<Keyring> => (keyring ??= openKeyring(config, stores));
  return {
    config,
    clock,
    stores,
    log,
    tools: options.tools,
    keyring: getKeyring,
    accounts: async () => new Accounts({ stores, keyring: await getKeyring(), clock }),
    audits: null,
    actor,
    note: noteOf(stores, clock, actor),
    close: () => engine.close(),
  };
}

/** `name@host`; the numeric id for a user that has no name. */
function osUser(): string {
  let name: string;
  try {
    name = userInfo().username;
  } catch {
    name = `uid ${process.getuid?.() ?? 'unknown'}`;
  }
  return `${name}@${hostname()}`;
}

/** Reads the secret but never creates it: only the service does. A matching check needs no write. */
async function openKeyring(config: Config, stores: Engine['stores']): Promise<Keyring> {
  const secret = config.secret ?? readSecretFile(config.dataDir);
  const keyring = new Keyring(secret);
  const known = await stores.settings.get('secret_check');
  return known === keyring.hashCredential('secret check') ? keyring : checkedKeyring(secret, stores);
}

function readSecretFile(dataDir: string): string {
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) {
    throw new StartError(`No master secret in ${file}. Restore it, or set KURIR_SECRET to the secret of this data.`);
  }
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StartError(`The master secret ${file} cannot be read: ${(error as Error).message}`);
  }
}
