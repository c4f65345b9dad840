import pino from 'pino';
import { ConfigError, readConfig } from './config';
import { announcement } from './first-run';
import { startKurir } from './kurir';
import { StartError } from './start-error';
import { NewerSchemaError, UnavailableError } from '../stores/ports/errors';

/** A stop that takes longer is cut off: what is not done is found by the next start. */
const STOP_LIMIT = 10_000;

async function main(): Promise<void> {
  // The data dir holds mail, addresses and keys: nobody else's.
  process.umask(0o077);
  const config = readConfig(process.env);
  const logger = pino({ level: config.logLevel }, pino.destination(2));
  const kurir = await startKurir(config, { logger });
  if (kurir.firstRun) process.stdout.write(announcement(kurir.firstRun.run, kurir.firstRun.file));
  logger.info({ base_url: kurir.baseUrl, data_dir: config.dataDir }, 'kurir is running');

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'kurir is stopping');
    const limit = setTimeout(() => process.exit(1), STOP_LIMIT);
    limit.unref();
    void kurir.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'kurir did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Faults the operator can mend are said in a line each; anything else is a bug and shows its trace. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.faults.join('\n');
  const known = error instanceof StartError || error instanceof UnavailableError || error instanceof NewerSchemaError;
  return known ? error.message : String(error instanceof Error ? error.stack : error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
