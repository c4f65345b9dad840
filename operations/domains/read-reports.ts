import { promises as dns } from 'node:dns';
import { dayOf, reportsFrom, type DomainReport } from '../../domain/domain-reports/domain-report';
import type { RecordStore } from '../../stores/ports/record-store';

const PAGE = 200;
/** Time limit of a name, ms. */
const TIMEOUT = 1_500;

/** The kept reports of a kind about a domain, from the day (UTC) of `since` on, the oldest first. */
export async function readReports(
  records: Pick<RecordStore, 'list'>,
  domain: string,
  { kind, since, now }: { kind: DomainReport['kind']; since: number; now: number },
): Promise<DomainReport[]> {
  const found: DomainReport[] = [];
  const own = reportsFrom(domain, kind, '').slice(0, -1);
  let after = reportsFrom(domain, kind, dayOf(since));
  for (;;) {
    const page = await records.list('domain_report', {}, { after, limit: PAGE, now });
    const ours = page.filter(({ id }) => id.startsWith(own));
    found.push(...ours.map(({ body }) => body));
    if (ours.length < PAGE) return found;
    after = ours.at(-1)!.id;
  }
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
