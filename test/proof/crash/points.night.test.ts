import { afterAll, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { clusterInstallation } from '../../../proof/crash/cluster-installation';
import { embeddedInstallation } from '../../../proof/crash/installation';
import { CRASH_POINTS } from '../../../proof/crash/points';
import { seedInstallation } from '../../../proof/crash/seed';
import type { Filled } from '../../../proof/world/template';
import { EVERYTHING } from '../../support/everything';
import { describeOnCluster, uniqueName } from '../../support/real-services';
import { temporaryDir } from '../../support/running';
import { dieAt } from './die-at';

/**
 * Each fifth one, and each ninth outside the night gate, before and after by turns: always the same.
 * `KURIR_TEST_POINTS=all` plays all of them.
 */
const ALL = process.env['KURIR_TEST_POINTS'] === 'all';
const EACH = ALL ? 1 : EVERYTHING ? 5 : 9;
const PLAYED = CRASH_POINTS.filter((_, i) => i % EACH === 0);
const PROGRAM = join(__dirname, '../../../dist/crash.js');

const seeded = temporaryDir();
afterAll(() => rmSync(seeded, { recursive: true, force: true }));

/** Shared by tests that run at the same time, and which begin before any hook has. */
let prepared: Promise<Filled> | null = null;
const prepare = (): Promise<Filled> => seedInstallation(embeddedInstallation(seeded), 1);

describe('the named crash points', () => {
  it('are more than 25, each with a name of its own', () => {
    const names = CRASH_POINTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(25);
  });

  it.concurrent.each(PLAYED.map((point) => [point.name, point] as const))(
    'at "%s": the process dies there; after the restart nothing is lost, doubled or wrongly paid',
    async (_name, point) => {
      const { reached, found, whole, wrong, penalties, opens } = await dieAt(
        point,
        { seeded, filled: await (prepared ??= prepare()) },
        PROGRAM,
      );
      expect(reached).toBe(true);
      if (point.statusOnDisk.length > 0) expect(point.statusOnDisk).toContain(found);
      expect(whole).toBe(true);
      expect(wrong).toEqual([]);
      expect(penalties).toBe(point.activity === 'forced send' ? 1 : 0);
      if (point.activity === 'open') expect(opens).toBeGreaterThan(0);
    },
    600_000,
  );
});

/** A start on the cluster takes ten seconds, so the suite plays a part of them there, unless all are asked for. */
const SOME = [
  ...['fan-out/after', 'webhook claimed/after', 'webhook sent/after', 'webhook finished/before'],
  ...['sale: linked/after', 'sale: linked by its click/before'],
];
const ON_CLUSTER = CRASH_POINTS.filter(
  ({ name }, i) => SOME.includes(name) || ALL || (EVERYTHING && i % 15 === 0),
).filter(({ activity, attempts }) => attempts.length > 0 || activity.endsWith('sale'));

describeOnCluster('the crash points of webhooks and sales on the cluster engine', (urls) => {
  // spec: docs/contract.md#webhook-delivery: at each moment of death
  it.each(ON_CLUSTER.map((point) => [point.name, point] as const))(
    'at "%s": the process dies there; after the restart the event arrives under one id, each claim counted, and the sale is linked once',
    async (_name, point) => {
      const installation = clusterInstallation(urls, uniqueName());
      const filled = await seedInstallation(installation, 1);
      const { reached, found, wrong } = await dieAt(point, { installation, filled }, PROGRAM);
      expect(reached).toBe(true);
      expect(point.statusOnDisk).toContain(found);
      expect(wrong).toEqual([]);
    },
    600_000,
  );
});
