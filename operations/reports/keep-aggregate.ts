import {
  dayOf,
  MAX_REPORTS_A_DAY,
  reportKey,
  reportsFrom,
  REPORTS_KEPT,
  type DomainReport,
} from '../../domain/domain-reports/domain-report';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import type { Clock } from '../../lib/clock';
import { DAY } from '../../lib/clock';
import type { RecordStore } from '../../stores/ports/record-store';
import type { DomainStore } from '../../stores/ports/domain-store';
import { DOMAIN_REPORTS } from '../domains/read-reports';

export interface KeepDeps {
  stores: { domains: Pick<DomainStore, 'findByName'>; records: Pick<RecordStore, 'add' | 'list'> };
  clock: Clock;
}

/** A report that came to addresses of those domains, about the policy of a domain. */
export interface ArrivedReport {
  about: string;
  report: DomainReport;
  addressed: readonly string[];
}

/**
 * Keeps an aggregate report with the sending domain it is about, for REPORTS_KEPT. Resolves to null, or to why it is
 * not kept: none of ours, of no recent time, known, or too many of a day. Rejects with the errors of the store.
 */
export async function keepAggregate({ stores, clock }: KeepDeps, arrived: ArrivedReport): Promise<string | null> {
  const { report } = arrived;
  const now = clock.now();
  const domain = await domainOf(stores.domains, arrived);
  if (!domain) return 'it is not about a sending domain of this installation';
  if (report.begin < now - REPORTS_KEPT || report.begin > now + DAY || report.end < report.begin) {
    return 'its period is too long ago, or in the future';
  }
  const { records } = stores;
  const prefix = reportsFrom(domain.domain, report.kind, dayOf(report.begin));
  const known = await records.list(DOMAIN_REPORTS, { prefix, limit: MAX_REPORTS_A_DAY }, now);
  if (known.length === MAX_REPORTS_A_DAY) return 'there are too many for that day';
  const entry = { id: reportKey(domain.domain, report), workspaceId: domain.workspaceId, body: report };
  return (await records.add(DOMAIN_REPORTS, entry, now)) ? null : 'it was received before';
}

/** The domain itself; else one below it whose address the report came to, since the policy of a parent holds for it. */
async function domainOf(
  domains: KeepDeps['stores']['domains'],
  { about, addressed }: ArrivedReport,
): Promise<SendingDomain | null> {
  const below = addressed.filter((domain) => domain.endsWith(`.${about}`));
  for (const name of [about, about.replace(/^bounce\./, ''), ...below]) {
    const found = await domains.findByName(name);
    if (found) return found;
  }
  return null;
}
