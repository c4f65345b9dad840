import { promises as dns } from 'node:dns';
import { dayOf, REPORTS_KEPT, reportsFrom, type DomainReport } from '../../domain/domain-reports/domain-report';
import { record } from '../../domain/records/record';
import { DAY } from '../../lib/clock';
import type { RecordStore } from '../../stores/ports/record-store';

/** Time limit of a name, ms. */
const TIMEOUT = 1_500;

export const DOMAIN_REPORTS = record<DomainReport, 'workspaceId'>('domain_report', {
  expiresAt: ({ begin }) => begin + REPORTS_KEPT + DAY,
});

/** The kept reports of a kind about a domain, from the day (UTC) of `since` on, the oldest first. */
export async function readReports(
  records: Pick<RecordStore, 'list'>,
  domain: string,
  { kind, since, now }: { kind: DomainReport['kind']; since: number; now: number },
): Promise<DomainReport[]> {
  const own = { prefix: reportsFrom(domain, kind, '').slice(0, -1), after: reportsFrom(domain, kind, dayOf(since)) };
  return (await records.list(DOMAIN_REPORTS, own, now)).map(({ body }) => body);
}

/** The reverse name (PTR) of each address, by address; those without one, or that cannot be asked for, are left out. */
export async function reverseNames(addresses: readonly string[], servers: readonly string[]) {
  const resolver = new dns.Resolver({ timeout: TIMEOUT, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  const names = new Map<string, string>();
  await Promise.all(
    addresses.map(async (address) => {
      const [name] = await resolver.reverse(address).catch(() => []);
      if (name !== undefined) names.set(address, name);
    }),
  );
  return names;
}
