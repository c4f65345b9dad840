import { promises as dns } from 'node:dns';
import { dmarcNames, judgeDns, type DnsRecord } from '../../domain/settings/dns-records';
import { unanswered, type DnsVerdict } from '../../domain/settings/dns-verdict';
import { DomainDns } from './domain-dns';

/** An expected record, what the DNS answered, and the verdict; `value` is what to publish. */
export interface CheckedRecord extends DnsRecord, DnsVerdict {
  found: string[];
}

/** Time limit of one answer, ms, and tries per server. */
const TIMEOUT = 3_000;
const TRIES = 2;
/** The resolver's codes for a name or type that does not exist. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Looks up all records at once and judges each. `servers` (addresses, `1.1.1.1` or `127.0.0.1:5353`) replace those of
 * the system. A failed lookup makes its record `unknown`, with the reason.
 */
export function checkRecords(
  records: readonly DnsRecord[],
  servers: readonly string[] = [],
  patience = { timeout: TIMEOUT, tries: TRIES },
): Promise<CheckedRecord[]> {
  const resolver = new dns.Resolver(patience);
  if (servers.length > 0) resolver.setServers(servers);
  const names = new DomainDns(servers, patience);
  return Promise.all(records.map((record) => check(resolver, names, record)));
}

async function check(resolver: dns.Resolver, names: DomainDns, record: DnsRecord): Promise<CheckedRecord> {
  try {
    const found = record.purpose === 'dmarc' ? await lookUpDmarc(resolver, record) : await lookUp(resolver, record);
    const verdict = await judgeDns(record, found, names);
    return { ...record, found, ...verdict, value: verdict.publish ?? record.value };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    return { ...record, found: [], ...unanswered(code) };
  }
}

async function lookUp(resolver: dns.Resolver, { name, type }: Pick<DnsRecord, 'name' | 'type'>): Promise<string[]> {
  try {
    if (type === 'TXT') return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
    return (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}.`);
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** The nearest name with a DMARC record counts. */
async function lookUpDmarc(resolver: dns.Resolver, { name }: DnsRecord): Promise<string[]> {
  for (const candidate of dmarcNames(name)) {
    const found = (await lookUp(resolver, { name: candidate, type: 'TXT' })).filter((text) =>
      /^v\s*=\s*DMARC1/i.test(text),
    );
    if (found.length > 0) return found;
  }
  return [];
}
