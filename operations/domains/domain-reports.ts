import { readReports, reverseNames } from './read-reports';
import type { DomainReport } from '../../domain/domain-reports/domain-report';
import { sumReports } from '../../domain/domain-reports/sum-reports';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { DAY } from '../../lib/clock';
import { refuseUnseen, resolver } from './domain-check';
import { domain, operation, option, whole, type Session, type View } from '../definition';

const days = option('<n>', 'days to include, 1 to 90', whole(1, 90), 30);
/** Sources that are shown, and asked for by name. */
const SHOWN = 20;

const read = async ({ stores, clock }: Session, of: SendingDomain, kind: DomainReport['kind'], back: number) => {
  const now = clock.now();
  const reports = await readReports(stores.records, of.domain, { kind, since: now - back * DAY, now });
  return sumReports(reports);
};

type Day = Awaited<ReturnType<typeof read>>['days'][number];
const DAY_COLUMNS = { day: 'day', reports: 'reports', passed: 'passed', failed: 'failed' } as const;
const daysTable = (view: View, found: readonly Day[]): string => view.table(found, DAY_COLUMNS);

const NONE = 'No reports in this period. They arrive once the DMARC record contains their address: kurir domain show\n';

/** `kurir domain dmarc`. */
export const dmarc = operation('domain.dmarc', 'viewer', {
  summary: 'show DMARC reports on email from a domain: passed and failed, by day and by source',
  arguments: { domain },
  options: { days, resolver },
  examples: [
    ['domain dmarc tokomelati.example', 'the last 30 days'],
    ['domain dmarc 2 --days 7', 'the last week'],
  ],
  notes: `Days are in UTC. Shows the ${SHOWN} sources that fail most, with their host names.`,
  handler: async ({ days: back, ...input }, session) => {
    refuseUnseen(session, input);
    const { sources, failures: _none, ...sums } = await read(session, input.domain, 'dmarc', back);
    const shown = sources.slice(0, SHOWN);
    const names = await reverseNames([...new Set(shown.map(({ ip }) => ip))], input.resolver ? [input.resolver] : []);
    return {
      domain: input.domain.domain,
      ...sums,
      sources: shown.map((source) => ({ ...source, name: names.get(source.ip) ?? null })),
    };
  },
  text: ({ reports, days: found, sources }, view) =>
    reports === 0
      ? NONE
      : daysTable(view, found) +
        view.title('Sources') +
        view.table(sources, {
          ip: 'ip',
          name: 'name',
          from: 'from',
          passed: 'passed',
          failed: 'failed',
          quarantined: 'quarantined',
          rejected: 'rejected',
        }),
});

/** `kurir domain tls`. */
export const tls = operation('domain.tls', 'viewer', {
  summary: 'show TLS reports on the bounce domain of a domain: sessions and failures',
  arguments: { domain },
  options: { days },
  examples: [['domain tls tokomelati.example', 'the last 30 days']],
  notes:
    'Days are in UTC. Reports arrive once _smtp._tls.bounce.<domain> contains their address: docs/deliverability.md.',
  handler: async (input, session) => {
    const { sources: _none, ...sums } = await read(session, input.domain, 'tls', input.days);
    return { domain: input.domain.domain, ...sums };
  },
  text: ({ reports, days: found, failures }, view) =>
    reports === 0
      ? NONE.replace('the DMARC record contains', '_smtp._tls.bounce.<domain> contains').replace(
          'kurir domain show',
          'docs/deliverability.md',
        )
      : daysTable(view, found) +
        view.title('Failures') +
        view.table(failures, { failure: 'reason', sessions: 'count' }, 'none'),
});
