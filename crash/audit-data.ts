import { runAudit } from '../app/audit/audit';
import type { Installation } from './installation';

const MOST_PARKED = 1_000;

/** What `kurir audit` says of a stopped service's data, one line a difference, and every record that was parked. */
export async function auditData(installation: Installation): Promise<string[]> {
  const found = await parked(installation);
  const source = await installation.audit();
  try {
    await runAudit(source, {
      onDifference: ({ rule, subject, expected, found: is }) =>
        found.push(`${rule}: ${subject}: ${String(is)}, and should be ${String(expected)}`),
      patience: 0,
    });
    return found;
  } finally {
    await source.close();
  }
}

async function parked(installation: Installation): Promise<string[]> {
  const engine = await installation.open();
  try {
    const records = await engine.log.parked(MOST_PARKED);
    return records.map(({ topic, key, reason }) => `parked in ${topic}: ${key}: ${reason}`);
  } finally {
    await engine.close();
  }
}
