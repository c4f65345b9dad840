import type { Command } from 'commander';
import { domainToASCII } from 'node:url';
import { changeSetting } from '../app/operator/change-setting';
import { dnsHosts, type DnsSetting } from '../app/operator/domain-records';
import { zoneLine } from '../domain/settings/dns-records';
import { DOMAIN_CATEGORIES, type SendingDomain } from '../domain/settings/sending-domain';
import { DuplicateError } from '../lib/errors';
import type { Commands, Session, VerbSpec } from './support/command';
import { activate, check, DOMAIN, expected } from './domain-check';
import { setMail } from './domain-mail';
import { mailWords, presentDomain, recordBlocks } from './support/domain-view';
import { CommandError } from './support/errors';
import { oneOf, reference, type Read } from './support/input';
import { findDomain, findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import { fields, table } from './support/table';
import { showTime } from './support/times';

const LABELS = /^(?=.{4,220}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/;

/** Reads a host name and returns it in lower case and ASCII, without a dot at the end. */
const hostName: Read<string> = (raw) => {
  const name = domainToASCII(raw.trim().replace(/\.$/, '')).toLowerCase();
  if (!LABELS.test(name)) throw new RangeError('must be a domain name such as example.com');
  return name;
};

const mechanisms: Read<string> = (raw) => {
  const terms = raw.trim().split(/\s+/);
  const valid = terms.every((term) => /^(ip4|ip6|a|mx|include|exists):[\w.:/%{}-]+$/i.test(term));
  if (!valid) throw new RangeError('must be SPF mechanisms, such as "ip4:203.0.113.7 include:spf.relay.example"');
  return terms.join(' ');
};

async function answerDomain(session: Session, domain: SendingDomain, zone: boolean): Promise<Answer> {
  const records = await expected(session, domain);
  const head = fields(session.paint, [
    ['id', domain.id],
    ['domain', domain.domain],
    ['workspace', domain.workspaceId],
    ['status', domain.status, 'status'],
    ['category', mailWords(domain)],
    ['added', showTime(domain.createdAt)],
  ]);
  const lines = `${records.map(zoneLine).join('\n')}\n`;
  return {
    text: zone ? lines : `${head}\nDNS records:\n\n${recordBlocks(session.paint, records)}`,
    json: {
      ...presentDomain(domain),
      dns: records.map((record) => ({ ...record, zone: record.value === null ? null : zoneLine(record) })),
    },
  };
}

const add: VerbSpec = {
  name: 'add',
  summary: 'add a sending domain with a DKIM key of its own, and print its DNS records',
  args: [
    ['<workspace>', 'id or name'],
    ['<name>', 'domain name, such as example.com'],
  ],
  options: [
    ['--category <category>', 'transactional (password resets, codes, receipts) or marketing, the default'],
    ['--zone', 'print the records as lines of a zone file'],
  ],
  examples: [
    ['domain add "Toko Melati" tokomelati.example', 'records to paste'],
    ['domain add "Toko Melati" akun.tokomelati.example --category transactional', 'for password resets and receipts'],
    ['domain add 3 mail.example.com --zone', 'as a zone file'],
  ],
  notes:
    'Publish the records in the DNS, then run kurir domain activate <name>: only an active domain may send. Mail of a ' +
    'marketing domain has tracked links and an unsubscribe footer; resets and receipts need a transactional one.',
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const name = input.arg('name', hostName);
    const category = input.option('category', oneOf(...DOMAIN_CATEGORIES)) ?? 'marketing';
    const zone = input.has('zone');
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const accounts = await session.accounts();
      await session.note('domain add', `${name}: ${category}`, workspace.id);
      try {
        const domain = await accounts.createDomain(workspace.id, name, 'pending_dns', category);
        return await answerDomain(session, domain, zone);
      } catch (error) {
        if (!(error instanceof DuplicateError)) throw error;
        const held = await session.stores.domains.findByName(name);
        throw new CommandError(
          `<name>: ${name} already belongs to workspace ${held?.workspaceId ?? '?'}.`,
          `kurir domain show ${name} shows it.`,
          '<name>',
        );
      }
    };
  },
};

const list: VerbSpec = {
  name: 'list',
  summary: 'sending domains, of one workspace or of all',
  args: [['[workspace]', 'id or name']],
  examples: [
    ['domain list', 'all of them'],
    ['domain list "Toko Melati"', 'those of one workspace'],
  ],
  run: (input) => {
    const ref = input.optionalArg('workspace', reference);
    return async ({ stores, paint }) => {
      const workspaces = ref === undefined ? await stores.workspaces.list() : [await findWorkspace(stores, ref)];
      const domains = (await Promise.all(workspaces.map(({ id }) => stores.domains.list(id)))).flat();
      return {
        text: table(
          paint,
          [
            { title: 'id' },
            { title: 'domain' },
            { title: 'status', status: true },
            { title: 'category' },
            { title: 'workspace' },
            { title: 'added' },
          ],
          domains.map((domain) => [
            domain.id,
            domain.domain,
            domain.status,
            domain.category,
            domain.workspaceId,
            showTime(domain.createdAt),
          ]),
          'No sending domains yet. Add one: kurir domain add <workspace> <name>',
        ),
        json: { data: domains.map(presentDomain) },
      };
    };
  },
};

const show: VerbSpec = {
  name: 'show',
  summary: 'a sending domain and its DNS records, ready to paste',
  args: [DOMAIN],
  options: [['--zone', 'print the records as lines of a zone file']],
  examples: [
    ['domain show tokomelati.example', 'status and records'],
    ['domain show 2 --zone >> zones/tokomelati.example', 'into a zone file'],
  ],
  run: (input) => {
    const ref = input.arg('domain', reference);
    const zone = input.has('zone');
    return async (session) => answerDomain(session, await findDomain(session.stores, ref), zone);
  },
};

const suspend: VerbSpec = {
  name: 'suspend',
  summary: 'suspend a domain: it is refused at once, and its queued mail fails with "Domain pengirim tidak aktif."',
  args: [DOMAIN],
  examples: [['domain suspend tokomelati.example', 'kurir domain activate lets it send again']],
  run: (input) => {
    const ref = input.arg('domain', reference);
    return async (session) => {
      const domain = await findDomain(session.stores, ref);
      await session.note('domain suspend', domain.domain, domain.workspaceId);
      await session.stores.domains.setStatus(domain.id, 'suspended');
      return { text: `${domain.domain} is suspended\n`, json: presentDomain({ ...domain, status: 'suspended' }) };
    };
  },
};

const dns: VerbSpec = {
  name: 'dns',
  summary: 'what the DNS records of every domain say: the host that takes bounces, and who sends',
  options: [
    ['--mx-host <name>', 'host of the bounce MX; "default": that of KURIR_PUBLIC_URL'],
    ['--spf <mechanisms>', 'SPF mechanisms of the sending server; "default": host of KURIR_MTA_URL, or the public one'],
  ],
  examples: [
    ['domain dns', 'show the present values'],
    ['domain dns --mx-host mail.example.com --spf "ip4:203.0.113.7"', 'for all domains from now on'],
    ['domain dns --spf default', 'back to the default'],
  ],
  run: (input) => {
    const orDefault =
      <T>(read: Read<T>): Read<T | null> =>
      (raw) =>
        raw.trim() === 'default' ? null : read(raw);
    const mxHost = input.option('mxHost', orDefault(hostName));
    const spf = input.option('spf', orDefault(mechanisms));
    return async (session) => {
      const { settings } = session.stores;
      const change = { ...(mxHost !== undefined && { mxHost }), ...(spf !== undefined && { spf }) };
      if (Object.keys(change).length > 0) {
        await session.note('domain dns', JSON.stringify(change), null);
        await changeSetting<{ [K in keyof DnsSetting]: DnsSetting[K] | null }>(settings, 'dns', (held) => ({
          ...held,
          ...change,
        }));
      }
      const hosts = await dnsHosts(session.config, settings);
      return {
        text: fields(session.paint, [
          ['bounce MX', hosts.mxHost ?? 'not known: set KURIR_PUBLIC_URL, or --mx-host'],
          ['SPF', hosts.spf ?? 'not known: set KURIR_PUBLIC_URL, or --spf'],
        ]),
        json: { mx_host: hosts.mxHost, spf: hosts.spf },
      };
    };
  },
};

/** The `kurir domain` commands. */
export const domainCommand = (commands: Commands): Command =>
  commands.group('domain', 'sending domains and their DNS records', [
    add,
    list,
    show,
    check,
    activate,
    suspend,
    setMail,
    dns,
  ]);
