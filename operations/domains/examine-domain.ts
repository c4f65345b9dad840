import { explained, finding, type Finding, type Found } from '../../domain/deliverability/finding';
import { judgeBimi, judgeDmarcRecord, judgeKey, judgeSpfRecord } from '../../domain/deliverability/judge-records';
import {
  dmarcNames,
  isNeeded,
  zoneLine,
  type DnsHosts,
  type DnsPurpose,
  type DnsRecord,
} from '../../domain/settings/dns-records';
import { bounceDomain } from '../../domain/settings/sending-domain';
import { explainFault } from '../../domain/spf/judge-spf';
import { isSpf } from '../../domain/spf/parse-spf';
import { surveySpf } from '../../domain/spf/survey';
import type { Config } from '../config/config';
import { LookUpError } from '../../lib/look-up-error';
import { checkRecords, type CheckedRecord } from './check-domain';
import { DomainDns, type DnsPatience } from './domain-dns';
import { checkAgreement, checkReturnPathHost, checkReverse, checkTakesMail, sendingAddresses } from './check-names';
import { checkOneClick } from './check-one-click';
import { checkServer } from './check-server';

/** What is looked at. */
export interface DomainSetUp {
  domain: string;
  records: readonly DnsRecord[];
  hosts: DnsHosts;
  /** The address of Reply-To, if one is used. */
  replyTo: string | null;
  /** DNS servers instead of those of the system. */
  servers: readonly string[];
  patience?: DnsPatience;
}

type Checked = (CheckedRecord & { zone: string | null }) | undefined;

/** Records under the names of the domain, and what they lead to: the part that the DNS alone can tell. */
export async function examineNames(of: DomainSetUp): Promise<Finding[]> {
  const needed = of.records.filter(isNeeded);
  const checked = await checkRecords(needed, of.servers, of.patience);
  const record = (purpose: DnsPurpose): Checked => {
    const found = checked.find((one) => one.purpose === purpose);
    return found && { ...found, zone: found.value === null ? null : zoneLine(found) };
  };
  const dns = new DomainDns(of.servers, of.patience);
  const { domain, hosts, replyTo } = of;
  const dmarc = record('dmarc');
  const parts = [
    ...checked.map((one) => async () => verdict(one)),
    async () => keyFindings(record('dkim')),
    () => spfFindings(dns, record('spf')),
    () => dmarcFindings(dns, domain, dmarc),
    async () => (record('bounce')?.status === 'ok' ? checkReturnPathHost(dns, bounceDomain(domain)) : []),
    () => checkTakesMail(dns, domain, 'from-no-host'),
    async () =>
      replyTo === null ? [] : checkTakesMail(dns, replyTo.slice(replyTo.lastIndexOf('@') + 1), 'reply-to-no-host'),
    async () => judgeBimi(await bimiRecords(dns, domain), dmarc?.found[0]),
    async () => (hosts.spf === null ? [] : reverseFindings(dns, hosts.spf)),
  ];
  return explained((await Promise.all(parts.map(orFailed))).flat());
}

/** The names, and the sending server and the public address of this installation, unless the sandbox sends. */
export async function examineDomain(
  of: DomainSetUp,
  config: Pick<Config, 'mtaUrl' | 'mtaServers' | 'publicUrl'>,
  now: number,
): Promise<Finding[]> {
  const { mtaUrl, mtaServers } = config;
  const dns = new DomainDns(of.servers, of.patience);
  const [names, ...others] = await Promise.all([
    examineNames(of),
    mtaUrl === null ? [] : checkOneClick(config),
    ...mtaServers.map(({ url }) => orFailed(() => checkServer(dns, url, { now }))),
  ]);
  return explained([...names, ...others.flat()]);
}

/** A look-up that got no answer is a finding of its own. */
async function orFailed(look: () => Promise<Found[]>): Promise<Found[]> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof LookUpError) return [finding('dns-failed', error.message)];
    throw error;
  }
}

function verdict(record: CheckedRecord): Found[] {
  if (record.check === null) return [];
  if (record.status === 'unknown') return [finding(record.check, `${record.name}: ${String(record.fault)}`)];
  const publish = record.value === null ? null : zoneLine(record);
  return [finding(record.check, record.found.join(' | ') || 'nothing', publish)];
}

const keyFindings = (dkim: Checked): Found[] => (dkim?.found.length === 1 ? judgeKey(dkim.found[0]!, dkim.zone) : []);

/** What the verdict on the sending server does not say of a record; a fault that it says already is not told twice. */
async function spfFindings(dns: DomainDns, spf: Checked): Promise<Found[]> {
  const [only, ...others] = spf?.found.filter(isSpf) ?? [];
  if (!spf || only === undefined || others.length > 0) return [];
  const { fault } = await surveySpf(dns, only, spf.name);
  const risks = judgeSpfRecord(only, (value) => zoneLine({ ...spf, value }));
  if (fault === null) return risks;
  const [check, said] = explainFault(spf.name, fault);
  return [...(check === spf.check ? [] : [finding(check, String(said), spf.zone)]), ...risks];
}

async function reverseFindings(dns: DomainDns, mechanisms: string): Promise<Found[]> {
  const { known, failed } = await sendingAddresses(dns, mechanisms);
  return [...failed.map(({ message }) => finding('dns-failed', message)), ...(await checkReverse(dns, known))];
}

async function dmarcFindings(dns: DomainDns, domain: string, dmarc: Checked): Promise<Found[]> {
  if (dmarc?.status !== 'ok') return [];
  const { found, reportDomains } = judgeDmarcRecord(dmarc.found[0]!, dmarc.zone);
  return [...found, ...(await checkAgreement(dns, domain, reportDomains))];
}

/** The nearest name with a record counts, as for DMARC. */
async function bimiRecords(dns: DomainDns, domain: string): Promise<string[]> {
  for (const name of dmarcNames(domain)) {
    const found = await dns.txt(name.replace(/^_dmarc\./, 'default._bimi.'));
    const records = found.filter((text) => /^v\s*=\s*BIMI1/i.test(text));
    if (records.length > 0) return records;
  }
  return [];
}
