import type { Command } from 'commander';
import { examine, type Examination } from '../app/doctor/examine';
import { wibDay } from '../domain/wib';
import type { Commands, Session } from './support/command';
import { whole } from './support/input';
import { table } from './support/table';
import { jsonTime, showDistance, showTime } from './support/times';

function show({ paint }: Session, { service, checks, overdue, leases, now }: Examination): string {
  const title = (text: string): string => `\n${paint('strong', text)}\n`;
  const wrong = checks.filter(({ status }) => status === 'wrong').length;
  return [
    table(
      paint,
      [{ title: 'check' }, { title: 'status', status: true }, { title: 'found', max: 160 }],
      checks.map(({ check, status, detail }) => [check, status, detail]),
      '',
    ),
    ...(overdue.length === 0
      ? []
      : [
          title('Past their deadline'),
          table(
            paint,
            [
              { title: 'message' },
              { title: 'workspace' },
              { title: 'status', status: true },
              { title: 'owner' },
              { title: 'deadline' },
              { title: 'expected' },
            ],
            overdue.map((row) => [
              row.messageId,
              row.workspaceId,
              row.status,
              row.owner,
              `${showTime(row.deadline)}, ${showDistance(row.deadline, now)}`,
              row.expected,
            ]),
            '',
          ),
        ]),
    title('Leases'),
    table(
      paint,
      [{ title: 'lease' }, { title: 'holder' }, { title: 'epoch' }, { title: 'ends' }],
      leases.map(({ name, owner, epoch, expiresAt }) => [
        name,
        owner,
        epoch,
        owner === null ? null : showDistance(expiresAt, now),
      ]),
      'none',
    ),
    `\nThe service is ${service}. ${wrong === 0 ? paint('good', 'All checks passed.') : paint('bad', wrong === 1 ? '1 check failed.' : `${wrong} checks failed.`)}\n`,
  ].join('');
}

const present = (found: Examination) => ({
  service: found.service,
  ok: found.checks.every(({ status }) => status !== 'wrong'),
  checks: found.checks,
  overdue: found.overdue.map((row) => ({
    message_id: row.messageId,
    workspace_id: row.workspaceId,
    status: row.status,
    owner: row.owner,
    deadline: jsonTime(row.deadline),
    expected: row.expected,
  })),
  groups: found.groups.map(({ group, topic, lag, behindSince }) => ({
    group,
    topic,
    lag,
    behind_since: jsonTime(behindSince),
  })),
  leases: found.leases.map(({ name, owner, epoch, expiresAt }) => ({
    name,
    holder: owner,
    epoch,
    expires_at: jsonTime(expiresAt),
  })),
  parked: found.parked,
  data_dir: found.dataDir && {
    path: found.dataDir.path,
    writable: found.dataDir.writable,
    free_bytes: found.dataDir.freeBytes,
    total_bytes: found.dataDir.totalBytes,
  },
  ports: found.ports,
  versions: found.versions,
  clock: { now: jsonTime(found.now), wib_day: wibDay(found.now) },
});

/** `kurir doctor`: what is stuck, which part should have moved it, and what is in the way. */
export const doctorCommand = (commands: Commands): Command =>
  commands.verb({
    name: 'doctor',
    summary:
      'look for what is wrong: rows past their deadline with their owner, lag, leases, data dir, ports, versions, clock',
    options: [['--limit <n>', 'rows past their deadline of each kind at most, 1 to 10000; default: 100']],
    examples: [
      ['doctor', 'exit code 1 when something is wrong'],
      ['doctor --json', 'for a monitor'],
    ],
    notes: 'Works with the service up or down, and says which; changes nothing.',
    run: (input) => {
      const limit = input.option('limit', whole(1, 10_000)) ?? 100;
      return async (session) => {
        const progress = session.progress('looking through queues', null);
        try {
          const found = await examine(session, limit, () => progress.step());
          progress.done();
          const json = present(found);
          return { text: show(session, found), json, code: json.ok ? 0 : 1 };
        } finally {
          progress.done();
        }
      };
    },
  });
