import { dayOf, type DmarcSource, type DomainReport } from './domain-report';

/** Reports of one kind about a domain, added up. */
export interface SummedReports {
  reports: number;
  passed: number;
  failed: number;
  /** The newest first. */
  days: readonly { day: string; reports: number; passed: number; failed: number }[];
  /** Those that fail most come first. */
  sources: readonly DmarcSource[];
  failures: DomainReport['failures'];
}

/** Adds reports up by day, by source and by failure. */
export function sumReports(reports: readonly DomainReport[]): SummedReports {
  const days = new Map<string, SummedReports['days'][number]>();
  const sources = new Map<string, DmarcSource>();
  const failures = new Map<string, number>();
  for (const { begin, passed, failed, ...of } of reports) {
    const day = dayOf(begin);
    const known = days.get(day) ?? { day, reports: 0, passed: 0, failed: 0 };
    days.set(day, { day, reports: known.reports + 1, passed: known.passed + passed, failed: known.failed + failed });
    for (const source of of.sources) addSource(sources, source);
    for (const { reason, count } of of.failures) failures.set(reason, (failures.get(reason) ?? 0) + count);
  }
  const total = (of: 'passed' | 'failed'): number => reports.reduce((sum, report) => sum + report[of], 0);
  return {
    reports: reports.length,
    passed: total('passed'),
    failed: total('failed'),
    days: [...days.values()].sort((a, b) => (a.day < b.day ? 1 : -1)),
    sources: mostFailing(sources.values()),
    failures: [...failures].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
  };
}

/** Adds what a report says of a source to what is known of it. */
export function addSource(sources: Map<string, DmarcSource>, source: DmarcSource): void {
  const key = `${source.ip} ${source.from}`;
  const known = sources.get(key);
  if (!known) return void sources.set(key, { ...source });
  for (const sum of ['passed', 'failed', 'quarantined', 'rejected'] as const) known[sum] += source[sum];
}

/** The sources in order of what failed, then of what passed. */
export const mostFailing = (sources: Iterable<DmarcSource>): DmarcSource[] =>
  [...sources].sort((a, b) => b.failed - a.failed || b.passed - a.passed);
