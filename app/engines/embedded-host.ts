import { join } from 'node:path';
import type { ProcessLogger } from '../../lib/logger';
import { inProcessRateLimiter } from '../../api/rate-limit/in-process-rate-limiter';
import { openEmbedded } from '../../stores/embedded/open';
import { openThreaded } from '../../stores/embedded/threaded/open-threaded';
import type { Engine } from '../../stores/ports/engine';
import { Accounts } from '../../operations/installation/accounts';
import type { AdvancingClock } from '../../lib/advancing-clock';
import type { Config } from '../../operations/config/config';
import { controlPart } from '../time-travel/control-server';
import {
  DATABASE,
  openDataDir,
  readOrMakeSecret,
  writeDurably,
  type DataDir,
} from '../../operations/installation/data-dir';
import {
  announcement,
  demoAddresses,
  EMPTY_START,
  isFirstRun,
  makeDemo,
} from '../../operations/installation/first-run';
import { findDataFile } from '../../operations/installation/data-file';
import type { Addresses, Announced, EngineHost } from './engine-host';
import { installationId } from '../../operations/installation/installation-id';
import { soleProcessLease } from '../core/process-lease';
import { recoveryPart } from './recovery';
import { announceRunning } from '../../operations/installation/running-file';
import { checkedKeyring } from '../../operations/installation/checked-keyring';
import type { Services } from '../shared-services';
import { clockForStart } from '../time-travel/stored-clock';
import { TimeTravel } from '../time-travel/time-travel';
import { VERSION } from '../../lib/version';

/** The one process holds every shard; after a crash the next start takes them over at once. */
const OWNER = 'embedded';

export interface EmbeddedHostOptions {
  clock: AdvancingClock;
  logger: ProcessLogger;
  /** Folder of the compiled worker programs; without it the store runs in this thread. */
  programs?: string | undefined;
  wrapEngine?: ((engine: Engine) => Engine) | undefined;
}

/** One process that owns its folder. Locks the folder at once; throws StartError. */
export function embeddedHost(config: Config, options: EmbeddedHostOptions): EngineHost {
  const { clock } = options;
  const dir = openDataDir(config.dataDir);
  let engine: Engine | null = null;
  return {
    dir,
    open: async () => {
      findDataFile(dir.path);
      const secret = config.secret ?? readOrMakeSecret(dir);
      const opened = await openStore(dir.file(DATABASE), options);
      engine = options.wrapEngine?.(opened) ?? opened;
      await clockForStart(clock, engine.stores.settings, config.mtaUrl);
      return {
        engine,
        keyring: await checkedKeyring(secret, engine.stores),
        installationId: await installationId(engine.stores.settings),
        processLease: soleProcessLease(OWNER),
        rateLimiter: inProcessRateLimiter(clock, config.apiRatePerMinute),
        // It is alone: there is no other clock to differ from.
        mayAct: () => true,
        dispatchers: () => 1,
        logger: options.logger,
      };
    },
    begin: (part) => part.start(),
    close: async () => engine?.close(),
    recovery: (services) => [recoveryPart(services)],
    travel: ({ activity, engine: { stores }, logger }, parts) => {
      const deps = { clock, activity, settings: stores.settings, parts };
      const travel = config.mtaUrl === null ? new TimeTravel(deps) : null;
      return { travel, parts: [controlPart({ dir, travel, logger })] };
    },
    announce: async (services, { publicUrl, ports }) => {
      const firstSteps = await firstStart(services, dir, { publicUrl, ports });
      const about = { pid: process.pid, version: VERSION, startedAt: clock.now(), baseUrl: `${publicUrl}/v1`, ports };
      return { firstSteps, ...announceRunning(dir.path, about) };
    },
  };
}

function openStore(file: string, { clock, programs, logger }: EmbeddedHostOptions): Promise<Engine> {
  if (programs === undefined) return openEmbedded({ file, clock });
  const onGone = (err: Error): void => {
    // Draining is pointless without a store: the next start finds everything that was acknowledged.
    logger.fatal({ err }, 'kurir is stopping: its store failed');
    process.exit(1);
  };
  return openThreaded({ file, clock, program: join(programs, 'store-thread.js'), onGone });
}

/**
 * Creates the demo workspace on an empty data dir, if it is wanted. The file is complete before the setting records
 * that it was done.
 */
async function firstStart(
  services: Services,
  dir: DataDir,
  { publicUrl, ports }: Addresses,
): Promise<Announced['firstSteps']> {
  const { engine, keyring, clock, config } = services;
  if (!(await isFirstRun(engine.stores))) return null;
  if (!config.demo) return (await engine.stores.workspaces.list()).length === 0 ? EMPTY_START : null;
  const accounts = new Accounts({ stores: engine.stores, keyring, clock });
  // This process owns the data dir, so leases from an earlier run are free at once.
  const run = await makeDemo(
    engine.stores,
    { accounts, clock, owner: 'first start' },
    demoAddresses(config, publicUrl, ports),
  );
  const file = dir.file('first-run.json');
  writeDurably(file, `${JSON.stringify(run, null, 2)}\n`);
  await engine.stores.settings.set('first_run', true);
  return announcement(run, file);
}
