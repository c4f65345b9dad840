import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import type { Overrides } from '../app/config/config';
import { loadConfig } from '../app/config/load-config';
import { explain } from '../app/core/explain';
import { startKurir, type Kurir } from '../app/kurir';
import { openLog } from '../app/logging/open-log';
import { firstOperatorLink } from '../dashboard';
import { openDoors } from './doors';
import { StartError } from '../app/core/start-error';
import { growSemiSpace, limitSemiSpaceOfThreads } from '../app/core/grow-semi-space';

/** A longer stop is cut off; the next start finds what is unfinished. */
const STOP_LIMIT = 10_000;

async function main(): Promise<void> {
  // The data dir holds mail, addresses and keys, so no other user may read it.
  process.umask(0o077);
  limitSemiSpaceOfThreads();
  const { config, warnings } = loadConfig(process.env, process.cwd(), readArguments(process.argv.slice(2)));
  const logger = openLog(config, process.stderr);
  for (const warning of warnings) logger.warn(warning);
  const ending = new AbortController();
  const starting = startKurir(config, { logger, programs: __dirname, signal: ending.signal, doors: openDoors });
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
  // Not before: what a start allocates would stay resident.
  growSemiSpace();
  // What is no terminal may be a log that others read.
  const { isTTY } = process.stdout;
  if (kurir.firstSteps) process.stdout.write(kurir.firstSteps[isTTY ? 'terminal' : 'elsewhere']);
  if (isTTY) await showFirstLink(kurir);
  const { engine, roles, dataDir } = config;
  const { relay } = kurir;
  const smtp = relay && {
    smtp: { host: relay.host, port: relay.smtp, tls_port: relay.smtps, fingerprint: relay.fingerprint },
  };
  logger.info({ base_url: kurir.baseUrl, ...smtp, engine, roles, data_dir: dataDir }, 'kurir is running');
}

/** Until there is a user, each start prints a link that makes the first operator; what is no terminal gets none. */
async function showFirstLink({ services }: Kurir): Promise<void> {
  const { config } = services;
  const link = config.dashboard && config.roles.includes('dashboard') ? await firstOperatorLink(services) : null;
  if (link !== null)
    process.stdout.write(`\nThe dashboard. This link makes you its first operator, once:\n${link}\n\n`);
}

/** Reads what the command line overrides. Throws StartError. */
function readArguments(args: string[]): Overrides {
  try {
    const { roles } = parseArgs({ args, options: { roles: { type: 'string' } } }).values;
    return roles === undefined ? {} : { KURIR_ROLES: roles || ',' };
  } catch (error) {
    throw new StartError(
      `${(error as Error).message.split('. ', 1)[0]}. The only argument is --roles <names>, comma-separated.`,
    );
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
