import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import type { Overrides } from '../../operations/config/config';
import { loadConfig, logFormatOf } from '../../operations/config/load-config';
import { explain, isMendable } from '../../lib/explain';
import { startKurir, type Kurir } from '../kurir';
import { isReadable, openLog } from '../logging/open-log';
import { recordOutput } from '../logging/record-output';
import { firstOperatorLink } from '../../dashboard';
import { openHttpApps } from './http-apps';
import { StartCosts } from './start-costs';
import { StartError } from '../../lib/start-error';
import { growSemiSpace, limitSemiSpaceOfThreads } from '../core/grow-semi-space';

/** A longer stop is cut off; the next start finds what is unfinished. */
const STOP_LIMIT = 10_000;

const logFormat = logFormatOf(process.env, process.cwd());
/** Until the configuration is read, the log has the default level. */
const early = openLog({ logLevel: 'info', logFormat }, process.stderr);
const isForPeople = isReadable(logFormat, process.stderr);

async function main(): Promise<void> {
  const costs = new StartCosts();
  costs.note('program');
  // The data dir holds mail, addresses and keys, so no other user may read it.
  process.umask(0o077);
  limitSemiSpaceOfThreads();
  let logger = early;
  if (!isForPeople) recordOutput(() => logger);
  const { overrides, isVerbose } = readArguments(process.argv.slice(2));
  const { config, warnings } = loadConfig(process.env, process.cwd(), overrides);
  costs.note('settings');
  logger = openLog(config, process.stderr);
  for (const warning of warnings) logger.warn(warning);
  const ending = new AbortController();
  const starting = startKurir(config, {
    logger,
    programs: __dirname,
    signal: ending.signal,
    httpApps: openHttpApps,
    onStarted: costs.note,
  });
  // Set up before the start: the program may wait for its servers, and as the first process of a container it would
  // otherwise receive no signals.
  closeWithGrace({ delay: STOP_LIMIT, logger: false }, async ({ signal, err }) => {
    if (err) logger.fatal({ err }, 'kurir is stopping: it hit a bug');
    else logger.info({ signal }, 'kurir is stopping');
    ending.abort();
    await starting.then((kurir) => kurir.stop()).catch(() => undefined);
    logger.info({}, 'kurir stopped');
  });
  const kurir = await starting;
  costs.note('announce');
  // Not before: what a start allocates would stay resident.
  growSemiSpace();
  // What is no terminal is a log, which others may read: a record without the key, and no link.
  if (process.stdout.isTTY) {
    if (kurir.firstSteps) process.stdout.write(kurir.firstSteps.text);
    await showFirstLink(kurir);
  } else if (kurir.firstSteps) logger.info(kurir.firstSteps.facts, kurir.firstSteps.summary);
  const { engine, roles, dataDir } = config;
  const { relay } = kurir;
  const smtp = relay && {
    smtp: { host: relay.host, port: relay.smtp, tls_port: relay.smtps, fingerprint: relay.fingerprint },
  };
  logger.info({ base_url: kurir.baseUrl, ...smtp, engine, roles, data_dir: dataDir }, 'kurir is running');
  if (isVerbose) logger.info({ ...costs.cost() }, 'processor time of the start');
}

/** Until there is a user, each start prints a link that makes the first operator; what is no terminal gets none. */
async function showFirstLink({ services }: Kurir): Promise<void> {
  const { config } = services;
  const link = config.dashboard && config.roles.includes('dashboard') ? await firstOperatorLink(services) : null;
  if (link !== null)
    process.stdout.write(
      `\nDashboard: create the administrator account with this link (it can be used once):\n${link}\n\n`,
    );
}

/** Reads the command line. Throws StartError. */
function readArguments(args: string[]): { overrides: Overrides; isVerbose: boolean } {
  try {
    const options = { roles: { type: 'string' }, verbose: { type: 'boolean', default: false } } as const;
    const { roles, verbose } = parseArgs({ args, options }).values;
    return { overrides: roles === undefined ? {} : { KURIR_ROLES: roles || ',' }, isVerbose: verbose };
  } catch (error) {
    throw new StartError(
      `${(error as Error).message.split('. ', 1)[0]}. The options are --roles <names> (comma-separated) and --verbose.`,
    );
  }
}

main().catch((error: unknown) => {
  if (isForPeople) process.stderr.write(`${explain(error)}\n`);
  else if (isMendable(error)) early.fatal({}, explain(error));
  else early.fatal({ err: error }, 'kurir cannot start: it hit a bug');
  process.exit(1);
});
