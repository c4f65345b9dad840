import { changeSetting } from '../installation/change-setting';
import { dnsHosts, type DnsSetting } from './domain-records';
import { DOMAIN_CATEGORIES, type DomainMail } from '../../domain/settings/sending-domain';
import { DuplicateError } from '../../lib/errors';
import { defined } from '../../lib/defined';
import { setDomainMail, setDomainStatus } from './change-domain';
import { activate, check } from './domain-check';
import { doctor } from './domain-doctor';
import { dmarc, tls } from './domain-reports';
import { rotate } from './domain-rotate';
import { hostName, mailWords, mechanisms, presentDomain, recordsText, withRecords } from './domain-view';
import {
  argument,
  domain,
  flag,
  oneOf,
  onOff,
  operation,
  OperationError,
  option,
  optional,
  type Read,
  requireChange,
  status,
  workspace,
  why,
} from '../definition';

const zone = flag('print the records as lines of a zone file');

const add = operation('domain.add', 'developer', {
  summary: 'add a sending domain with its own DKIM key, and print its DNS records',
  arguments: { workspace, name: argument('domain name, such as example.com', hostName) },
  options: {
    category: option(
      '<category>',
      'transactional (password resets, codes, receipts) or marketing (default)',
      oneOf(...DOMAIN_CATEGORIES),
      'marketing' as const,
    ),
    zone,
  },
  examples: [
    ['domain add "Toko Melati" tokomelati.example', 'records to publish'],
    ['domain add "Toko Melati" akun.tokomelati.example --category transactional', 'for password resets and receipts'],
    ['domain add 3 mail.example.com --zone', 'as a zone file'],
  ],
  notes:
    'Publish the records in the DNS, then run kurir domain activate <name>: only active domains can send. Email from a ' +
    'marketing domain has tracked links and an unsubscribe footer; resets and receipts need a transactional one.',
  handler: async ({ workspace: { id }, name, category }, session) => {
    const accounts = await session.accounts();
    await session.note('domain add', `${name}: ${category}`, id);
    try {
      return await withRecords(session, await accounts.createDomain(id, name, 'pending_dns', category));
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error;
      const held = await session.stores.domains.findByName(name);
      const isSeen = held && (session.access?.sees(held.workspaceId) ?? true);
      const other = isSeen ? why('workspace_id', { id: held.workspaceId }) : why('another_workspace');
      const reason = why('domain_held', { label: '<name>', name, other });
      throw new OperationError(reason, `kurir domain show ${name} shows it.`);
    }
  },
  text: recordsText,
});

const list = operation('domain.list', 'viewer', {
  summary: 'list sending domains, of one workspace or of all',
  arguments: { workspace: optional(workspace) },
  examples: [
    ['domain list', 'all of them'],
    ['domain list "Toko Melati"', 'those of one workspace'],
  ],
  handler: async (input, { stores }) => {
    const workspaces = input.workspace ? [input.workspace] : await stores.workspaces.list();
    const domains = await Promise.all(workspaces.map(({ id }) => stores.domains.list(id)));
    return { data: domains.flat().map(presentDomain) };
  },
  columns: {
    id: 'id',
    domain: 'domain',
    status: status('status'),
    category: 'category',
    workspace: 'workspace_id',
    added: 'created_at',
  },
  none: 'No sending domains yet. Add one: kurir domain add <workspace> <name>',
});

const show = operation('domain.show', 'viewer', {
  summary: 'show a sending domain and its DNS records',
  arguments: { domain },
  options: { zone },
  examples: [
    ['domain show tokomelati.example', 'status and records'],
    ['domain show 2 --zone >> zones/tokomelati.example', 'into a zone file'],
  ],
  handler: (input, session) => withRecords(session, input.domain),
  text: recordsText,
});

const suspend = operation('domain.suspend', 'developer', {
  irreversible: true,
  summary:
    'suspend a domain: new messages are rejected immediately, and queued ones fail with "Domain pengirim tidak aktif."',
  arguments: { domain },
  examples: [['domain suspend tokomelati.example', 'kurir domain activate lets it send again']],
  handler: async (input, session) => {
    await session.note('domain suspend', input.domain.domain, input.domain.workspaceId);
    return presentDomain(await setDomainStatus(session.stores.domains, input.domain, 'suspended'));
  },
  text: (of) => `${of.domain} is suspended\n`,
});

/** The change applied; what marketing mail has cannot be switched off. */
function changed(now: DomainMail, change: Partial<DomainMail>): DomainMail {
  const category = change.category ?? now.category;
  if (category === 'transactional') return { category, trackClicks: change.trackClicks ?? now.trackClicks };
  if (change.trackClicks === undefined) return { category, trackClicks: false };
  const fix = 'Use it together with --category transactional.';
  throw new OperationError(why('track_clicks', { label: '--track-clicks' }), fix);
}

/** docs/contract.md#transactional-mail */
const set = operation('domain.set', 'developer', {
  summary: 'set the type of email of a domain: marketing (default) or transactional',
  arguments: { domain },
  options: {
    category: option('<category>', 'transactional or marketing', oneOf(...DOMAIN_CATEGORIES)),
    trackClicks: option('<state>', 'on or off: track clicks in transactional email; default: off', onOff),
  },
  examples: [
    ['domain set mail.tokomelati.example --category transactional', 'password resets and receipts'],
    ['domain set mail.tokomelati.example --track-clicks on', 'with click tracking'],
    ['domain set mail.tokomelati.example --category marketing', 'back to the default'],
  ],
  notes:
    'Email from a transactional domain has no footer, no open pixel and no unsubscribe headers, and is sent to contacts that ' +
    'unsubscribed. Campaigns and journeys are always marketing. Messages accepted before the change keep their type.',
  check: ({ category, trackClicks }) => requireChange({ category, trackClicks }, 'Use --category or --track-clicks.'),
  handler: async ({ category, trackClicks, ...input }, session) => {
    const after = { ...input.domain, ...changed(input.domain, defined({ category, trackClicks })) };
    const shown = presentDomain(after);
    await session.note('domain set', `${after.domain}: ${mailWords(shown)}`, after.workspaceId);
    await setDomainMail(session.stores.domains, input.domain, after);
    return shown;
  },
  text: (of) => `${of.domain} is ${mailWords(of)}\n`,
});

const orDefault =
  <T>(read: Read<T>): Read<T | null> =>
  (raw) =>
    raw.trim() === 'default' ? null : read(raw);

const dns = operation('domain.dns', 'operator', {
  summary: 'set what the DNS records of all domains say: the bounce host, and the servers that may send',
  options: {
    mxHost: option('<name>', 'host name of the bounce MX; "default": from KURIR_PUBLIC_URL', orDefault(hostName)),
    spf: option(
      '<mechanisms>',
      'SPF mechanisms of the sending server; "default": the host of KURIR_MTA_URL, or the public one',
      orDefault(mechanisms),
    ),
  },
  examples: [
    ['domain dns', 'show the current values'],
    ['domain dns --mx-host mail.example.com --spf "ip4:203.0.113.7"', 'for all domains'],
    ['domain dns --spf default', 'back to the default'],
  ],
  handler: async (input, session) => {
    const { settings } = session.stores;
    const change = defined({ mxHost: input.mxHost, spf: input.spf });
    if (Object.keys(change).length > 0) {
      await session.note('domain dns', JSON.stringify(change), null);
      await changeSetting<{ [K in keyof DnsSetting]: DnsSetting[K] | null }>(settings, 'dns', (held) => ({
        ...held,
        ...change,
      }));
    }
    const { mxHost, spf } = await dnsHosts(session.config, settings);
    return { mx_host: mxHost, spf };
  },
  details: {
    'bounce MX': (of) => of.mx_host ?? 'not known: set KURIR_PUBLIC_URL, or --mx-host',
    SPF: (of) => of.spf ?? 'not known: set KURIR_PUBLIC_URL, or --spf',
  },
});

export const DOMAIN = { add, list, show, check, activate, suspend, set, rotate, doctor, dmarc, tls, dns };
