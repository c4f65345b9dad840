import { examine, type Examination } from './examine';
import { wibDay } from '../../domain/wib';
import { type Columns, facts, jsonTime, limit, operation, showDistance, status, upTo, type View } from '../definition';

type Overdue = Examination['overdue'][number];
type Lease = Examination['leases'][number];

const overdueColumns = (now: number): Columns<Overdue> => ({
  message: 'messageId',
  workspace: 'workspaceId',
  status: status('status'),
  owner: 'owner',
  deadline: ({ deadline }, view) => `${view.time(deadline)}, ${showDistance(deadline, now)}`,
  expected: 'expected',
});

const leaseColumns = (now: number): Columns<Lease> => ({
  lease: 'name',
  holder: 'owner',
  epoch: 'epoch',
  ends: ({ owner, expiresAt }) => (owner === null ? null : showDistance(expiresAt, now)),
});

function examinationText({ service, checks, overdue, leases, now }: Examination, view: View): string {
  const wrong = checks.filter(({ status }) => status === 'wrong').length;
  const verdict =
    wrong === 0
      ? view.paint('good', 'All checks passed.')
      : view.paint('bad', wrong === 1 ? '1 check failed.' : `${wrong} checks failed.`);
  return [
    view.table(checks, { check: 'check', status: status('status'), found: upTo(160, 'detail') }),
    overdue.length === 0 ? '' : view.title('Overdue') + view.table(overdue, overdueColumns(now)),
    view.title('Leases') + view.table(leases, leaseColumns(now), 'none'),
    `\nThe service is ${service}. ${verdict}\n`,
  ].join('');
}

const isWell = ({ checks }: Examination): boolean => checks.every(({ status }) => status !== 'wrong');

const present = (found: Examination) => ({
  service: found.service,
  ok: isWell(found),
  checks: found.checks,
  overdue: found.overdue.map((row) => ({
    ...facts(row, 'messageId', 'workspaceId', 'status', 'owner'),
    deadline: jsonTime(row.deadline),
    expected: row.expected,
  })),
  groups: found.groups.map(({ group, topic, lag, behindSince }) => ({
    group,
    topic,
    lag,
    behind_since: jsonTime(behindSince),
  })),
  leases: found.leases.map((of) => ({ name: of.name, holder: of.owner, ...facts(of, 'epoch', 'expiresAt') })),
  parked: found.parked,
  data_dir: found.dataDir && facts(found.dataDir, 'path', 'writable', 'freeBytes', 'totalBytes'),
  ports: found.ports,
  versions: found.versions,
  clock: { now: jsonTime(found.now), wib_day: wibDay(found.now) },
});

const doctor = operation('doctor', 'operator', {
  options: { limit: limit('overdue messages of each kind', 100, 10_000) },
  examples: [
    ['doctor', 'exit code 1 if something is wrong'],
    ['doctor --json', 'for a monitor'],
  ],
  notes: 'Works whether the service is running or not, and says which; changes nothing.',
  handler: async ({ limit }, session) => {
    const progress = session.progress('checking queues', null);
    try {
      return await examine(session, limit, () => progress.step());
    } finally {
      progress.done();
    }
  },
  code: (found) => (isWell(found) ? 0 : 1),
  json: present,
  text: examinationText,
});

/** `kurir doctor`: what is stuck, which part should have moved it, and what is in the way. */
export const DOCTOR = { doctor };
