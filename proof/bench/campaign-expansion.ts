import { randomBytes } from 'node:crypto';
import { startHelper } from './helper';
import { inFolder } from './in-folder';
import { processUsage } from '../crash/process-usage';
import { whole } from './report';
import { seed } from './seed';

/**
 * A row of the results for each size: rows of the manifest a second, and the peak memory of the process that made it.
 */
export async function measureExpansion(sizes: readonly number[]): Promise<string[][]> {
  const rows: string[][] = [];
  for (const contacts of sizes) {
    const { rate, memory } = await expandOne(contacts);
    console.error(`${whole(rate)} rows a second of ${whole(contacts)}, peak memory ${whole(memory)} MB`);
    const name = `manifest of ${whole(contacts)}: rows/s (peak memory ${whole(memory)} MB)`;
    rows.push([name, whole(rate), '', '']);
  }
  return rows;
}

/** The audience is filled by another process, so that the peak memory is that of the manifest. */
function expandOne(contacts: number): Promise<{ rate: number; memory: number }> {
  return inFolder(async (dataDir) => {
    const fill = startHelper('audience');
    const expand = startHelper('audience');
    try {
      const secret = randomBytes(32).toString('hex');
      const [sender] = await seed({ dataDir, secret, workspaces: 1 });
      const [id] = await fill.call('fill', { dataDir, secret, domainId: sender!.domainId, contacts, campaigns: 1 });
      const [rows, ms] = await expand.call('expand', { dataDir, id: id! });
      if (rows !== contacts) throw new Error(`The manifest has ${rows} rows, and should have ${contacts}.`);
      return { rate: (rows * 1_000) / ms, memory: processUsage(expand.pid)?.peakMemory ?? NaN };
    } finally {
      fill.stop();
      expand.stop();
    }
  });
}
