import { runAudit } from '../../operations/audit/run-audit';
import { withData, type Installation } from './installation';

const MAX_PARKED = 1_000;

/** Audits the data of a stopped service: one line per difference `kurir audit` finds, and one per dead letter. */
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

const parked = (installation: Installation): Promise<string[]> =>
  withData(installation, async ({ log }) =>
    (await log.parked(MAX_PARKED)).map(({ topic, key, reason }) => `parked in ${topic}: ${key}: ${reason}`),
  );
