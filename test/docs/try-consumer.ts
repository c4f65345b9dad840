import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UnavailableError } from '../../lib/errors';
import { openEmbedded } from '../../stores/embedded/open';
import type { Stores } from '../../stores/ports';
import type { OutgoingRecord } from '../../streams/records';
import { Runner, type Handler } from '../../streams/runner';
import { aWorkspace, messageId } from '../support/builders';
import { frozenClock, TEST_START } from '../support/clock';

/** The outcome of the events of the trial. */
export interface Trial {
  /** What the consumer logged. */
  lines: unknown[];
  dropped: string[];
  /** Records that its group has not committed. */
  lag: number;
}

interface Deps {
  stores: Stores;
  logger: { warn(facts: object, text: string): void };
}

/**
 * Runs a consumer of `message.events` on the embedded engine: a complaint, another event, and an event of no workspace.
 */
export async function tryConsumer(create: (deps: Deps) => Handler): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), 'kurir-trial-'));
  const { stores, log, close } = await openEmbedded({ file: join(folder, 'kurir.db'), clock: frozenClock() });
  const trial: Trial = { lines: [], dropped: [], lag: 0 };
  const warn = (facts: object, text: string): number => trial.lines.push({ ...facts, text });
  const handler = create({ stores, logger: { warn } });
  const runner = new Runner(log, handler, {
    onDrop: (_record, reason) => trial.dropped.push(reason),
    isTransient: (error) => error instanceof UnavailableError,
  });
  try {
    await runner.start();
    const { id } = await stores.workspaces.create(aWorkspace({ name: 'Melati' }));
    await log.publish([event(id, 'complaint'), event(id, 'delivered'), event(id + 1, 'complaint')]);
    for (let looks = 0; looks < 18_000 && trial.lines.length + trial.dropped.length < 3; looks += 1)
      await setTimeout(10);
    await runner.stop(1_000);
    trial.lag = await log.lag(handler.group);
  } finally {
    await close();
    await rm(folder, { recursive: true });
  }
  return trial;
}

function event(workspaceId: number, name: 'complaint' | 'delivered'): OutgoingRecord {
  const id = messageId();
  return {
    topic: 'message.events',
    key: id,
    value: { workspaceId, messageId: id, event: name, occurredAt: TEST_START },
  };
}
