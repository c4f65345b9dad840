import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import pino from 'pino';
import { readConfig } from './config';
import { explain } from './explain';
import { announcement } from './first-run';
import { startKurir } from './kurir';

/** A stop that takes longer is cut off: what is not done is found by the next start. */
const STOP_LIMIT = 10_000;

async function main(): Promise<void> {
  // The data dir holds mail, addresses and keys: nobody else's.
  process.umask(0o077);
  const config = readConfig(process.env);
  const logger = pino({ level: config.logLevel }, pino.destination(2));
  const kurir = await startKurir(config, { logger, storeThread: join(__dirname, 'store-thread.js') });
  closeWithGrace({ delay: STOP_LIMIT, logger: false }, async ({ signal, err }) => {
    if (err) logger.fatal({ err }, 'kurir ends because of a bug');
    else logger.info({ signal }, 'kurir is stopping');
    await kurir.stop();
  });
  if (kurir.firstRun) process.stdout.write(announcement(kurir.firstRun.run, kurir.firstRun.file));
  logger.info({ base_url: kurir.baseUrl, data_dir: config.dataDir }, 'kurir is running');
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
