import { AUDIT_RULES, type AuditRule, type Difference } from '../../domain/audit/difference';
import { LIKELY_CAUSES } from '../../domain/audit/likely-causes';

/** The differences of one rule. */
export interface DifferenceGroup {
  rule: AuditRule;
  count: number;
  /** What most likely happened. */
  cause: string;
  /** The first ones. */
  shown: readonly Difference[];
}

/** Differences by rule. Keeps the first `limit` of each rule, so memory does not grow with what is wrong. */
export class DifferenceGroups {
  private readonly byRule = new Map<AuditRule, { count: number; first: Difference[] }>();

  constructor(private readonly limit: number) {}

  add(difference: Difference): void {
    const held = this.byRule.get(difference.rule);
    if (!held) this.byRule.set(difference.rule, { count: 1, first: this.limit > 0 ? [difference] : [] });
    else {
      held.count += 1;
      if (held.first.length < this.limit) held.first.push(difference);
    }
  }

  /** How many of each rule, in the order of the rules, as JSON. */
  counts(): { rule: AuditRule; count: number; likely_cause: string }[] {
    return this.list().map(({ rule, count, cause }) => ({ rule, count, likely_cause: cause }));
  }

  /** In the order of the rules. The groups show `limit` in all, shared evenly, so that no rule hides another. */
  list(): DifferenceGroup[] {
    const rules = (Object.keys(AUDIT_RULES) as AuditRule[]).filter((rule) => this.byRule.has(rule));
    const groups = rules.map((rule) => ({ rule, ...this.byRule.get(rule)!, take: 0 }));
    for (let left = this.limit; left > 0;) {
      const open = groups.filter(({ first, take }) => take < first.length).slice(0, left);
      if (open.length === 0) break;
      for (const group of open) group.take += 1;
      left -= open.length;
    }
    return groups.map(({ rule, count, first, take }) => ({
      rule,
      count,
      cause: LIKELY_CAUSES[rule],
      shown: first.slice(0, take),
    }));
  }
}
