import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterTools } from '../../../app/engines/cluster-admin';
import { readConfig } from '../../../operations/config/config';
import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { withMongo } from './clients';
import type { Scenario, ScenarioContext } from './scenario';
import type { Servers } from './servers';

/** Bytes: only a disk of this size at most is filled, one of its own for the servers. */
const SMALL_DISK = 6e9;
const CHUNK = Buffer.alloc(1 << 20, 1);
const FULL_FOR = 20 * SECOND;
const WITHOUT_INDEXES = 15 * SECOND;
const AFTER = 15 * SECOND;

/** Kafka and MongoDB end by themselves on a disk without room. */
export const fillDisk: Scenario = {
  about: 'the disk of Kafka and MongoDB has no room for 20 s; what has ended by then is started again',
  unsupportedReason: ({ data }: Servers) =>
    data !== null && sizeOf(data) <= SMALL_DISK
      ? null
      : 'it needs KURIR_SERVICES on a disk of its own, of 6 GB at most',
  async run({ servers, progress }) {
    const filler = join(servers.data!, 'filler');
    progress('fill the disk');
    const ended = await servers.restartEnded(async () => {
      try {
        for (const end = Date.now() + FULL_FOR; Date.now() < end; await sleep(SECOND / 10)) fill(filler);
      } finally {
        rmSync(filler, { force: true });
      }
    });
    progress(`there is room again; ${ended.join(', ') || 'nothing'} had ended and is started again`);
    await sleep(AFTER);
    return ended.length === 0 ? ['no server noticed the full disk'] : [];
  },
};

const sizeOf = (folder: string): number => {
  const { blocks, bsize } = statfsSync(folder);
  return blocks * bsize;
};

/** Takes all room that is left. */
function fill(file: string): void {
  for (let size = CHUNK.length; size >= 4_096; size /= 16) {
    try {
      for (;;) writeFileSync(file, CHUNK.subarray(0, size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

export const dropIndexes: Scenario = {
  about: 'every index of MongoDB is dropped, and made again 15 s later by `kurir indexes create`',
  async run({ installation, progress }: ScenarioContext) {
    await withMongo(installation.env, async (client) => {
      const collections = await client.db(installation.env['MONGODB_DATABASE']).collections();
      progress(`drop the indexes of ${collections.length} collections`);
      await Promise.all(collections.map((collection) => collection.dropIndexes()));
    });
    await sleep(WITHOUT_INDEXES);
    const { cluster } = readConfig(installation.env);
    const made = cluster ? await clusterTools(cluster).makeCollections() : [];
    progress(`made ${made.length} indexes again`);
    await sleep(AFTER);
    return made.length > 0 ? [] : ['no index was missing'];
  },
};
