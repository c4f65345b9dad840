import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuditSource } from '../../../stores/embedded/audit/audit-source';
import { openPersonalData } from '../../../stores/embedded/audit/personal-data';
import { openEmbedded, type EmbeddedOptions } from '../../../stores/embedded/open';
import { openThreaded } from '../../../stores/embedded/threaded/open-threaded';
import type { Engine } from '../../../stores/ports/engine';
import { frozenClock } from '../../support/clock';
import { recordsIn } from '../../../proof/world/embedded-log-view';
import type { OpenedEngine } from '../harness';
import { TEST_GROUPS } from '../test-groups';
import { openCopied } from './copied';

const FILE = 'kurir.db';

/** Copies synchronously, so that the files stay consistent. */
function copyAtOnce(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}

/**
 * The embedded engine in its own folder. `reopen` opens a copy of the files on disk while the first engine is still
 * running, so the copy lacks its close and everything it held only in memory.
 */
export const openTemporary = (): Promise<OpenedEngine> => openIn(openEmbedded);

/** The same with copies where the service has a thread. */
export const openTemporaryCopied = (): Promise<OpenedEngine> => openIn(openCopied);

const fail = (error: Error): void => {
  throw error;
};

/** The same with the store in its own thread, as in the service. */
export const openTemporaryThreaded = (): Promise<OpenedEngine> =>
  openIn((options) =>
    openThreaded({ ...options, program: join(__dirname, '../../../dist/store-thread.js'), onGone: fail }),
  );

async function openIn(open: (options: EmbeddedOptions) => Promise<Engine>): Promise<OpenedEngine> {
  const root = await mkdtemp(join(tmpdir(), 'kurir-contract-'));
  const clock = frozenClock();
  const running = new Set<Engine>();
  let life = 0;

  const folder = (n: number): string => join(root, String(n));
  const start = async (): Promise<Engine> => {
    mkdirSync(folder(life), { recursive: true });
    const engine = await open({ file: join(folder(life), FILE), clock, groups: TEST_GROUPS });
    const tracked: Engine = {
      stores: engine.stores,
      log: engine.log,
      close: async () => {
        running.delete(tracked);
        await engine.close();
      },
    };
    running.add(tracked);
    return tracked;
  };

  return {
    engine: await start(),
    clock,
    reopen: async () => {
      copyAtOnce(folder(life), folder(life + 1));
      life += 1;
      return start();
    },
    records: (topic) => recordsIn(join(folder(life), FILE), topic),
    audit: async () => openAuditSource(join(folder(life), FILE)),
    personalData: async () => openPersonalData(join(folder(life), FILE)),
    destroy: async () => {
      for (const engine of [...running]) await engine.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
