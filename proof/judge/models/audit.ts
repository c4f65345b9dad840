import { findingsOf, type Finding } from '../finding';
import type { Run } from '../run';

/** What the program's own audit finds. */
export function judgeAudit({ audits }: Run): Finding[] {
  const { list, add } = findingsOf('run');
  for (const act of audits) {
    for (const difference of act.answer?.differences ?? []) add('audit', `The audit says: ${difference}`, [act]);
    if (!act.answer) add('audit', 'The audit did not end.', [act]);
  }
  return list;
}
