import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Member } from '../../../../proof/crash/stage/member';
import type { Stage } from '../../../../proof/crash/stage/stage';
import { tellProcesses, tellWork } from '../../../../proof/crash/stage/stuck';
import { workOff } from '../../../../proof/crash/stage/work-off';
import type { Stores } from '../../../../stores/ports';
import { temporaryDir } from '../../../support/running';

const folder = realpathSync(temporaryDir());
const program = join(folder, 'program.js');
const PORTS = { http: 0, bounce: 0, smtps: 0 };
const NOW = 1_000_000;

/** Answers what it is asked, as the service does, with what its variable says. */
writeFileSync(
  program,
  `for (let n = 1; n < 9; n++) console.error('line ' + n);
   process.on('message', ({ id, name }) => process.send({ id, value: JSON.parse(process.env.SAYS)[name] }));
   process.on('disconnect', () => process.exit());
   process.send({ id: 0 });`,
);
const members: Member[] = [];

async function started(name: string, says: object): Promise<Member> {
  const at = join(folder, name);
  mkdirSync(at);
  const env = (): Record<string, string> => ({ SAYS: JSON.stringify(says) });
  const member = new Member({ name, roles: null, ports: PORTS, program, env, folder: at });
  members.push(member);
  expect(await member.start(0)).toBe(true);
  return member;
}

/** A stage of these processes, which rests for so long, or works. */
const stageOf = (of: readonly Member[], more: Partial<Stage> = {}): Stage =>
  ({
    members: of,
    lags: () => Promise.resolve({ throttle: 0, dispatch: 3 }),
    pendingReports: 2,
    rest: () => Promise.resolve(null),
    advance: () => Promise.resolve(),
    ...more,
  }) as unknown as Stage;

afterAll(async () => {
  for (const member of members) await member.clear();
  rmSync(folder, { recursive: true, force: true });
});

describe('what does not come to its end', () => {
  it('says what is left, what each process does and said last, and who is behind', async () => {
    const working = await started('api', { works: ['throttle', 'outbox'], rest: null });
    const resting = await started('timers', { works: [], rest: 12_000 });
    const frozen = await started('dispatch', {});
    const ended = await started('coins', {});
    frozen.process.freeze();
    await ended.process.kill();
    const stage = stageOf([working, resting, frozen, ended]);
    const left = (): Promise<string> => Promise.resolve('m1 is queued');
    const text = await workOff(stage, left, () => 1, { patience: 50 }).then(String, String);
    expect(text).toContain('It does not come to its end in 0.05 s\nwhat is left: m1 is queued\nprocesses:');
    expect(text).toContain(`api (pid ${working.pid}) works at throttle, outbox; it said last:\n    line 4\n`);
    expect(text).toContain('timers (pid ' + String(resting.pid) + ') rests for 12 s more');
    expect(text).toMatch(/dispatch \(pid \d+\) is frozen/);
    expect(text).toMatch(
      /coins \(pid \d+\) has ended with SIGKILL; it said last:\n {4}line 4\n.*\n.*\n.*\n {4}line 8\n/,
    );
    expect(text).toMatch(/behind in the log: dispatch by 3\nreports that wait: 2$/);
  });

  it('says so where no process tells how far the groups are', async () => {
    const stage = stageOf([], { lags: () => Promise.resolve(null) });
    expect(await tellProcesses(stage)).toContain('behind in the log: no process tells');
  });

  it('is not what works all the time, as long as less and less is left', async () => {
    let open = 12;
    const stage = stageOf([], { rest: () => Promise.resolve(open === 0 ? 0 : null) });
    const left = (): Promise<string> => Promise.resolve(open > 0 ? `${--open} wait` : '');
    const began = performance.now();
    await workOff(stage, left, () => 1, { patience: 500 });
    expect(performance.now() - began).toBeGreaterThan(250);
  });

  it('tells of the messages by state, and what each unfinished one and other work wait for', async () => {
    const message = { id: 'm1', workspaceId: 7, status: 'queued', attempt: 2, dueAt: NOW + 60_000, heldFor: null };
    const items = [
      { ...message, fence: null, unknown: false },
      { ...message, id: 'm2', status: 'sending', dueAt: NOW - 5_000, fence: 'token', unknown: true },
      { ...message, id: 'm3', status: 'delivered', dueAt: null, fence: null, unknown: false },
    ];
    const stores = {
      workspaces: { list: () => Promise.resolve([{ id: 7 }]) },
      messages: { list: () => Promise.resolve({ items }) },
      wakeups: { find: () => Promise.resolve([{ workspaceId: 7, at: NOW + 30_000, shard: 1 }]) },
      dueTasks: { nextDue: (kind: string) => Promise.resolve(kind === 'webhook' ? NOW + 1_000 : null) },
    } as unknown as Stores;
    expect(await tellWork(stores, NOW)).toEqual([
      'messages: 1 queued, 1 sending, 1 delivered',
      '  m1 is queued: attempt 2, in 60 s, workspace 7 is looked at in 30 s',
      '  m2 is sending: attempt 2, past the fence, waits for evidence, due for 5 s',
      'other work: webhook in 1 s',
    ]);
  });
});
