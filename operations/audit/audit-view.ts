import type { KeptAudit } from './kept-audit';
import { jsonTime } from '../definition';

/** The audits of the service for programs: the one that runs, the last verdict, and why a later one has none. */
export const presentAudit = ({ run, last, failure }: KeptAudit, now: number) => ({
  running: run !== null && run.until > now ? { by: run.by, started_at: jsonTime(run.startedAt) } : null,
  last: last && {
    at: jsonTime(last.at),
    by: last.by,
    ok: last.differences === 0,
    differences: last.differences,
    groups: last.groups,
    checked: last.checked,
    ms: last.ms,
  },
  failure: failureOf(run, failure, now),
});

/** A run that went silent ended with its process. */
function failureOf(run: KeptAudit['run'], failure: KeptAudit['failure'], now: number) {
  if (run !== null && run.until <= now) {
    return { at: jsonTime(run.until), by: run.by, reason: 'the service stopped before the audit finished' };
  }
  return failure && { at: jsonTime(failure.at), by: failure.by, reason: failure.reason };
}
