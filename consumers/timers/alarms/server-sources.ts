import { readFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';
import { judgeInTime, NO_ANSWER, type AlarmSource, type Judgment, type Subject, type Unknown } from './source';
import type { AlarmKind } from '../../../domain/alarms/alarm';
import type { SendingServer } from '../../../domain/sending/server-routes';
import { DAY, HOUR } from '../../../lib/clock';
import { isLoopback } from '../../../lib/loopback';
import { LookUpError } from '../../../lib/look-up-error';
import { certificateFacts } from '../../../lib/certificate';
import type { Config } from '../../../operations/config/config';
import type { SendingAddresses } from '../../../operations/domains/check-names';
import { SOON } from '../../../operations/domains/check-server';
import { reverseZoneName, type DomainDns } from '../../../operations/domains/domain-dns';
import { certificateOf } from '../../../operations/doctor/relay-certificate';

/** Names and servers that are asked at a time. */
const AT_ONCE = 64;
/** DNS answers of a blocklist; Spamhaus answers 127.255.255.x to those who may not ask (RFC 5782 section 2.1). */
const LISTED = /^127\.(?!255\.255\.)/;

/**
 * Whether addresses of the sending server are in a blocklist (RFC 5782). Lists that do not answer, or that this DNS
 * server may not ask, are not known.
 */
export const blocklistSource = (
  dns: () => DomainDns,
  zones: readonly string[],
  addresses: (dns: DomainDns) => Promise<SendingAddresses>,
): AlarmSource => ({
  name: 'blocklists',
  kinds: ['blocklist'],
  every: HOUR,
  evaluate: async ({ late, active }) => {
    const asked = dns();
    const { known, failed } = await addresses(asked);
    const pairs = known.flatMap((address) =>
      zones.map((zone) => ({ ...subject('blocklist', `${address} ${zone}`), address, zone })),
    );
    const { found } = await judgeInTime(pairs, { atOnce: AT_ONCE, late }, (pair) => inList(asked, pair));
    // An alarm that is not among them may be of an address that could not be looked up.
    const others = failed.length === 0 ? [] : active.filter((name) => !pairs.some((pair) => pair.subject === name));
    const unknown = others.map((name): Unknown => ({ kind: 'blocklist', subject: name, unknown: true }));
    return { found: [...found, ...unknown] };
  },
});

const subject = (kind: AlarmKind, of: string): Subject => ({ kind, subject: of, workspaceId: null });

async function inList(dns: DomainDns, { address, zone }: { address: string; zone: string }): Promise<Judgment> {
  try {
    const answers = await dns.a(`${reverseZoneName(address)}.${zone}`);
    if (answers.length === 0) return null;
    const listed = answers.filter((answer) => LISTED.test(answer));
    if (listed.length === 0) return NO_ANSWER;
    const [name] = await dns.ptr(address).catch(() => []);
    const who = name === undefined ? address : `${address} (${name})`;
    return `The sending server ${who} is on the blocklist ${zone} (${listed.join(', ')}): many receivers refuse its email. The website of the list explains how to get removed.`;
  } catch (error) {
    if (error instanceof LookUpError) return NO_ANSWER;
    throw error;
  }
}

/** Certificates that end within two weeks: those of this process's files, and those of the sending servers. */
export const certificateSource = (config: Pick<Config, 'tls' | 'smtpTls' | 'mtaServers'>): AlarmSource => ({
  name: 'certificates',
  kinds: ['certificate'],
  every: HOUR,
  evaluate: ({ now, late }) => {
    const files = Object.entries({ KURIR_TLS_CERT: config.tls, KURIR_SMTP_TLS_CERT: config.smtpTls }).flatMap(
      ([name, of]) => (of ? [certificate(name, name, () => endOfFile(of.certFile))] : []),
    );
    const servers = config.mtaServers.flatMap((server) => {
      const at = starttls(server);
      const validTo = async (): Promise<number> => (await certificateOf(at!.host, at!.port)).validTo;
      return at ? [certificate(at.host, `the sending server ${at.host}`, validTo)] : [];
    });
    return judgeInTime([...files, ...servers], { atOnce: AT_ONCE, late }, (of) => judgeEnd(of, now));
  },
});

interface Certificate extends Subject {
  of: string;
  /** Resolves to its end, ms. */
  validTo: () => Promise<number>;
}

const certificate = (name: string, of: string, validTo: Certificate['validTo']): Certificate => ({
  ...subject('certificate', name),
  of,
  validTo,
});

const endOfFile = async (path: string): Promise<number> => certificateFacts(await readFile(path, 'utf8')).validTo;

/** A certificate that cannot be read now is not known: the doctor and the log say why. */
async function judgeEnd({ of, validTo: read }: Certificate, now: number): Promise<Judgment> {
  const validTo = await read().catch(() => null);
  if (validTo === null) return NO_ANSWER;
  if (validTo > now + SOON) return null;
  const days = Math.floor((validTo - now) / DAY);
  const when = days < 0 ? 'has expired' : `expires in ${days} days`;
  return `The certificate of ${of} ${when}, on ${new Date(validTo).toISOString().slice(0, 10)}.`;
}

/** The sending server, when its certificate can be seen by STARTTLS; a local one may have any. */
function starttls({ url: text }: Pick<SendingServer, 'url'>): { host: string; port: number } | null {
  const url = new URL(text);
  if (url.protocol !== 'smtp:' || isLoopback(url.hostname)) return null;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || 25 };
}

/** True for the same address, however it is written. */
export const sameAddress = (a: string, b: string): boolean =>
  ipaddr.isValid(a) && ipaddr.isValid(b) && ipaddr.parse(a).toString() === ipaddr.parse(b).toString();
