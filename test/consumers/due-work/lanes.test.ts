import { afterEach, expect, it } from '@jest/globals';
import type { LaneWork } from '../../../consumers/due-work/due-work';
import { Lanes, type LaneLimits } from '../../../consumers/due-work/lanes';
import type { DueKind } from '../../../stores/ports/due-payloads';
import { openTemporary } from '../../contract/embedded/open';
import { freshEngine } from '../../contract/harness';
import { eventually } from '../../contract/helpers';
import { TEST_START as NOW } from '../../support/clock';
import { anyTask, dueRunner } from '../../support/due-work';

const subject = freshEngine(openTemporary);
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const LIMITS: LaneLimits = { perEndpoint: 10, perWorkspace: 50, inAll: 500 };

it.each<[what: string, limits: LaneLimits, workspaces: [number, number]]>([
  ['in all', { ...LIMITS, inAll: 1 }, [1, 2]],
  ['of a workspace', { ...LIMITS, perWorkspace: 1 }, [1, 1]],
])('kinds that share lanes share the limit %s; what waits goes as soon as there is room', async (_, limits, ws) => {
  const lanes = new Lanes(limits);
  const running = new Map<string, () => void>();
  const open = (kind: DueKind, workspaceId: number): void => {
    const work: LaneWork<DueKind> = {
      lanes,
      openLane: async () => ({
        workspaceId,
        troubled: false,
        begin: (tasks) => async (n) => {
          await new Promise<void>((resolve) => running.set(kind, resolve));
          await subject.stores.dueTasks.finish(tasks[n]!);
          running.delete(kind);
        },
      }),
    };
    const { runner } = dueRunner(subject, kind, work);
    stops.push(() => runner.stop());
    runner.start();
  };
  const task = (kind: DueKind, workspaceId: number) =>
    anyTask({ kind, id: '1', workspaceId, lane: '1', dueAt: NOW, payload: {} });
  await subject.stores.dueTasks.schedule([task('webhook', ws[0]), task('journey-post', ws[1])]);
  open('webhook', ws[0]);
  await eventually(async () => expect([...running.keys()]).toEqual(['webhook']));
  open('journey-post', ws[1]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([...running.keys()]).toEqual(['webhook']);
  running.get('webhook')?.();
  // The clock stands still, so nothing else would make it look again.
  await eventually(async () => expect([...running.keys()]).toEqual(['journey-post']));
  running.get('journey-post')?.();
  await eventually(async () => expect(running.size).toBe(0));
});
