import { isIP } from 'node:net';
import { publicUrlFault } from '../app/config/origin';
import { checkRecords, type CheckedRecord } from '../app/operator/domain-check';
import { dnsHosts, recordsOf } from '../app/operator/domain-records';
import type { DnsRecord } from '../domain/settings/dns-records';
import type { SendingDomain } from '../domain/settings/sending-domain';
import type { Session, VerbSpec } from './support/command';
import { checkTable, presentCheck } from './support/domain-view';
import { CommandError } from './support/errors';
import { reference, type Read } from './support/input';
import { findDomain } from './support/lookups';

/** The argument of a command about one domain. */
export const DOMAIN = ['<domain>', 'id or name'] as const;
const RESOLVER = ['--resolver <address>', 'DNS server to ask instead of those of the system, such as 1.1.1.1'] as const;

const server: Read<string> = (raw) => {
  const address = raw.trim();
  const [, host = '', port = '53'] = /^\[?([0-9a-fA-F.:]+?)\]?(?:(?<=\]|^[0-9.]+):(\d{1,5}))?$/.exec(address) ?? [];
  if (isIP(host) === 0 || Number(port) > 65_535) {
    throw new RangeError('must be an IP address, with a port or without: 1.1.1.1, 127.0.0.1:5353, [::1]:5353');
  }
  return address;
};

/** The DNS records that a domain should have. */
export async function expected(session: Session, domain: SendingDomain): Promise<DnsRecord[]> {
  const hosts = await dnsHosts(session.config, session.stores.settings);
  return recordsOf(domain, await session.keyring(), hosts);
}

async function lookUp(session: Session, domain: SendingDomain, resolver: string | undefined): Promise<CheckedRecord[]> {
  const progress = session.progress(`looking up ${domain.domain}`, null);
  try {
    return await checkRecords(await expected(session, domain), resolver === undefined ? [] : [resolver]);
  } finally {
    progress.done();
  }
}

const isGood = (records: readonly CheckedRecord[]): boolean => records.every(({ status }) => status === 'ok');

/** `kurir domain check`. */
export const check: VerbSpec = {
  name: 'check',
  summary: 'look up the DNS records and show what is missing or differs; changes nothing',
  args: [DOMAIN],
  options: [RESOLVER],
  examples: [
    ['domain check tokomelati.example', 'exit code 1 when a record is missing or differs'],
    ['domain check 2 --resolver 1.1.1.1', 'as another DNS server sees it'],
  ],
  run: (input) => {
    const ref = input.arg('domain', reference);
    const resolver = input.option('resolver', server);
    return async (session) => {
      const domain = await findDomain(session.stores, ref);
      const records = await lookUp(session, domain, resolver);
      return {
        text: checkTable(session.paint, records),
        json: presentCheck(domain, records),
        code: isGood(records) ? 0 : 1,
      };
    };
  },
};

/** `kurir domain activate`. */
export const activate: VerbSpec = {
  name: 'activate',
  summary: 'let a domain send: looks its DNS records up first; all must be right',
  args: [DOMAIN],
  options: [
    ['--force', 'skip the checks of DNS and KURIR_PUBLIC_URL: for the sandbox, or when you know them to be right'],
    RESOLVER,
  ],
  examples: [
    ['domain activate tokomelati.example', 'active when the DNS is right, else dns_failed and exit code 1'],
    ['domain activate tokomelati.example --force', 'active whatever the DNS says'],
  ],
  run: (input) => {
    const ref = input.arg('domain', reference);
    const resolver = input.option('resolver', server);
    const force = input.has('force');
    return async (session) => {
      const domain = await findDomain(session.stores, ref);
      const linksFault = publicUrlFault(session.config);
      if (linksFault !== null && !force) throw new CommandError(linksFault, 'Or use --force to activate it as it is.');
      const records = force ? [] : await lookUp(session, domain, resolver);
      const good = isGood(records);
      await session.note('domain activate', `${domain.domain}${force ? ', forced' : ''}`, domain.workspaceId);
      // An active domain stays active: a failed lookup is no reason to stop its mail.
      const status = good ? 'active' : domain.status === 'active' ? 'active' : 'dns_failed';
      await session.stores.domains.setStatus(domain.id, status);
      const hint = 'Fix the DNS records, or use --force to skip the check (the sandbox needs no DNS).\n';
      const line = good ? `${domain.domain} is active\n` : `\n${domain.domain} is ${status}\n${hint}`;
      return {
        text: `${records.length > 0 ? checkTable(session.paint, records) : ''}${line}`,
        json: presentCheck({ ...domain, status }, records),
        code: good ? 0 : 1,
      };
    };
  },
};
