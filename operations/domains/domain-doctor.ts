import { examineDomain, type DomainSetUp } from './examine-domain';
import { dnsHosts } from './domain-records';
import type { Finding } from '../../domain/deliverability/finding';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { printable } from '../../lib/printable';
import { refuseUnseen, resolver } from './domain-check';
import { expected } from './domain-view';
import { domain, mailAddress, operation, option, type Session, type View } from '../definition';

function findingText(view: View, { check, level, found, expected: wanted, why, publish }: Finding): string {
  const lines = [
    `found     ${printable(found)}`,
    `expected  ${wanted}`,
    `why       ${why}`,
    ...(publish === null ? [] : [`publish   ${publish}`]),
  ];
  return `${view.paint(level === 'blocking' ? 'bad' : 'warn', level.padEnd(8))}  ${check}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

/** What the doctor looks at: what the DNS should have, as the servers of the system see it. */
export const domainSetUp = async (
  session: Session,
  of: SendingDomain,
  replyTo: string | null,
): Promise<DomainSetUp> => ({
  domain: of.domain,
  records: await expected(session, of),
  hosts: await dnsHosts(session.config, session.stores.settings),
  replyTo,
  servers: [],
});

/** `kurir domain doctor`. */
export const doctor = operation('domain.doctor', 'viewer', {
  summary:
    'check everything that mailbox providers require of bulk senders: the finding, the expected value, why, and the record to publish',
  arguments: { domain },
  options: { replyTo: option('<address>', 'the reply-to address of your emails', mailAddress), resolver },
  examples: [
    ['domain doctor tokomelati.example', 'exit code 1 if something blocks email'],
    ['domain doctor 2 --reply-to cs@tokomelati.example --json', 'with the reply-to address'],
  ],
  notes:
    'Checks SPF, DKIM, DMARC, return path, BIMI, the domains of From and Reply-To, and the reverse DNS of the sending ' +
    'server; with KURIR_MTA_URL also its greeting and TLS, and whether one-click unsubscribe works.',
  handler: async ({ replyTo, ...input }, session) => {
    refuseUnseen(session, input);
    const progress = session.progress(`examining ${input.domain.domain}`, null);
    try {
      const setUp = await domainSetUp(session, input.domain, replyTo ?? null);
      const servers = input.resolver === undefined ? [] : [input.resolver];
      const findings = await examineDomain({ ...setUp, servers }, session.config, session.clock.now());
      return { domain: setUp.domain, ok: findings.every(({ level }) => level !== 'blocking'), findings };
    } finally {
      progress.done();
    }
  },
  code: ({ ok }) => (ok ? 0 : 1),
  text: ({ findings }, view) =>
    findings.length === 0
      ? `${view.paint('good', 'No problems found.')}\n`
      : findings.map((one) => findingText(view, one)).join('\n'),
});
