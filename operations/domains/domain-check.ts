import { ValueError } from '../../lib/reason';
import { isIP } from 'node:net';
import type { Config } from '../config/config';
import { publicUrlFault } from '../config/origin';
import { setDomainStatus } from './change-domain';
import { checkRecords, type CheckedRecord } from './check-domain';
import type { Access } from '../../domain/people/access';
import { isNeeded, type DnsPurpose } from '../../domain/settings/dns-records';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { checkTable, expected, presentCheck } from './domain-view';
import {
  domain,
  flag,
  ForbiddenError,
  operation,
  OperationError,
  option,
  type Session,
  why,
  rule,
} from '../definition';

/** A DNS server. */
export const resolver = option('<address>', "DNS server to ask instead of the system's, such as 1.1.1.1", (raw) => {
  const address = raw.trim();
  const [, host = '', port = '53'] = /^\[?([0-9a-fA-F.:]+?)\]?(?:(?<=\]|^[0-9.]+):(\d{1,5}))?$/.exec(address) ?? [];
  if (isIP(host) === 0 || Number(port) > 65_535) {
    throw new ValueError(rule('ip'));
  }
  return address;
});

/** Looks up the records of a domain, or those of one purpose; a record that may be removed is not asked for. */
export async function lookUp(
  session: Session,
  of: SendingDomain,
  server: string | undefined,
  purpose?: DnsPurpose,
): Promise<CheckedRecord[]> {
  const progress = session.progress(`looking up ${of.domain}`, null);
  try {
    const now = session.clock.now();
    const asked = (await expected(session, of)).filter(
      (record) => (record.removableFrom ?? Infinity) > now && record.purpose === (purpose ?? record.purpose),
    );
    return await checkRecords(asked, server === undefined ? [] : [server]);
  } finally {
    progress.done();
  }
}

export const isOperator = (access: Access | null): boolean => access === null || access.may('operator', null);

/**
 * True if the caller may activate a domain unseen. To a real server that sends mail in a name which nobody has shown to
 * be theirs, so it is for operators; the sandbox sends to nobody.
 */
export const mayForce = ({ access, config }: { access: Access | null; config: Pick<Config, 'mtaUrl'> }): boolean =>
  config.mtaUrl === null || isOperator(access);

/**
 * Another DNS server could say anything, and be any machine of the network; for `force` see `mayForce`. Throws
 * ForbiddenError.
 */
export function refuseUnseen(session: Session, given: { resolver?: string | undefined; force?: boolean }): void {
  if (given.resolver !== undefined && !isOperator(session.access)) {
    throw new ForbiddenError(why('operator', { label: '--resolver' }));
  }
  if (given.force === true && !mayForce(session)) {
    throw new ForbiddenError(why('operator', { label: '--force' }));
  }
}

/** `kurir domain check`. */
export const check = operation('domain.check', 'viewer', {
  summary: 'check the DNS records of a domain and show missing or wrong ones; changes nothing',
  arguments: { domain },
  options: { resolver },
  examples: [
    ['domain check tokomelati.example', 'exit code 1 if a record is missing or wrong'],
    ['domain check 2 --resolver 1.1.1.1', 'with another DNS server'],
  ],
  handler: async (input, session) => {
    refuseUnseen(session, input);
    return presentCheck(input.domain, await lookUp(session, input.domain, input.resolver));
  },
  code: ({ ok }) => (ok === false ? 1 : 0),
  text: (checked, view) => checkTable(view, checked),
});

/**
 * The status of a domain whose DNS is not right. An active one stays active: its mail goes on. Where nothing is wrong
 * but some look-ups got no answer, nothing is known, so the status stays as it is.
 */
const statusAfter = (before: SendingDomain['status'], looked: readonly CheckedRecord[]): SendingDomain['status'] => {
  const isUnknown = looked
    .filter(isNeeded)
    .every(({ status, check: found }) => status === 'ok' || found === 'dns-failed');
  return before === 'active' || isUnknown ? before : 'dns_failed';
};

/** `kurir domain activate`. */
export const activate = operation('domain.activate', 'developer', {
  irreversible: ({ force }) => force,
  summary: 'activate a domain for sending; its DNS records are checked first',
  arguments: { domain },
  options: {
    force: flag('skip the checks of DNS and KURIR_PUBLIC_URL, for the sandbox or when you know that they are right'),
    resolver,
  },
  examples: [
    ['domain activate tokomelati.example', 'active if the DNS is right, otherwise dns_failed and exit code 1'],
    ['domain activate tokomelati.example --force', 'active whatever the DNS says'],
  ],
  handler: async ({ force, ...input }, session) => {
    const { domain: name, workspaceId, status: before } = input.domain;
    refuseUnseen(session, { ...input, force });
    const linksFault = publicUrlFault(session.config);
    if (linksFault !== null && !force) throw new OperationError(linksFault, 'Or use --force to activate it anyway.');
    const looked = force ? [] : await lookUp(session, input.domain, input.resolver);
    const checked = presentCheck(input.domain, looked);
    await session.note('domain activate', `${name}${force ? ', forced' : ''}`, workspaceId);
    const status = checked.ok === false ? statusAfter(before, looked) : 'active';
    await setDomainStatus(session.stores.domains, input.domain, status);
    return { ...checked, status };
  },
  code: ({ ok }) => (ok === false ? 1 : 0),
  text: (checked, view) => {
    const hint = 'Fix the DNS records, or use --force to skip the check (the sandbox needs no DNS).\n';
    const line = `${checked.domain} is ${checked.status}\n`;
    return `${checkTable(view, checked)}${checked.ok === false ? `\n${line}${hint}` : line}`;
  },
});
