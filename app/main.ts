import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import type { Overrides } from './config/config';
import { loadConfig } from './config/load-config';
import { explain } from './core/explain';
import { startKurir } from './kurir';
import { openLog } from './logging/open-log';
import { StartError } from './core/start-error';
import { growSemiSpace, limitSemiSpaceOfThreads } from './core/grow-semi-space';

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
  const starting = startKurir(config, { logger, programs: __dirname, signal: ending.signal });
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
  const { engine, roles, dataDir } = config;
  const { relay } = kurir;
  const smtp = relay && {
    smtp: { host: relay.host, port: relay.smtp, tls_port: relay.smtps, fingerprint: relay.fingerprint },
  };
  logger.info({ base_url: kurir.baseUrl, ...smtp, engine, roles, data_dir: dataDir }, 'kurir is running');
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
