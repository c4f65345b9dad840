import { join } from 'node:path';
import { runAudit } from '../app/audit';
import { AdvancingClock } from '../app/clock';
import { readConfig } from '../app/config';
import { openAudit } from '../app/open-audit';
import { openEmbedded } from '../stores/embedded/open';

const MOST_PARKED = 1_000;

/** What `kurir audit` says of a stopped service's data, one line a difference, and every record that was parked. */
export async function auditData(dataDir: string): Promise<string[]> {
  const found = await parked(dataDir);
  // Any sending server but the sandbox: the mails are counted at the sink.
  const audit = openAudit(readConfig({ KURIR_DATA_DIR: dataDir, KURIR_MTA_URL: 'smtp://127.0.0.1:9' }));
  try {
    await runAudit(audit.source, {
      onDifference: ({ rule, subject, expected, found: is }) =>
        found.push(`${rule}: ${subject}: ${String(is)}, and should be ${String(expected)}`),
      patience: 0,
    });
    return found;
  } finally {
    await audit.close();
  }
}

async function parked(dataDir: string): Promise<string[]> {
  const engine = await openEmbedded({ file: join(dataDir, 'kurir.sqlite'), clock: new AdvancingClock() });
  try {
    const records = await engine.log.parked(MOST_PARKED);
    return records.map(({ topic, key, reason }) => `parked in ${topic}: ${key}: ${reason}`);
  } finally {
    await engine.close();
  }
}
