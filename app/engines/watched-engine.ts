import { DuplicateError } from '../../lib/errors';
import type { Stores } from '../../stores/ports';
import type { Engine } from '../../stores/ports/engine';
import type { FailingWork } from '../core/failing-work';

/** What the calls of a store do, as `/readyz` says it. */
type Purposes = { readonly [S in keyof Stores]?: { readonly [M in keyof Stores[S]]?: string } };

const CLAIMING = 'claiming mail';
const RECORDING = 'recording the outcome of mail';
const SETTLING = 'settling what is due';
const LEASES = 'keeping leases';
const DUE_WORK = 'running due work';
const REPORTS = 'applying reports';

/** The calls that move mail on. When one of them fails all the time, mail stands still. */
const PURPOSES: Purposes = {
  queue: { claim: CLAIMING, workspacesWaiting: CLAIMING, nextDue: CLAIMING, recentClaims: CLAIMING, backlog: CLAIMING },
  messages: { accept: 'accepting mail', change: RECORDING, job: 'loading mail', get: 'reading mail' },
  deadlines: {
    overdue: SETTLING,
    unfenced: SETTLING,
    pastFence: SETTLING,
    unknown: SETTLING,
    attachmentsExpired: SETTLING,
    nextDeadline: SETTLING,
  },
  leases: { acquire: LEASES, renew: LEASES },
  dueTasks: { claim: DUE_WORK, finish: DUE_WORK, nextDue: DUE_WORK },
  deliveries: { fanOut: 'storing events for webhooks', finish: 'recording deliveries of webhooks' },
  coins: { post: 'booking coins' },
  signals: { store: 'recording opens and clicks', flag: REPORTS },
  suppressions: { add: REPORTS },
  contacts: { raiseStatus: REPORTS },
};

const LOG_PURPOSES = {
  publish: 'publishing records',
  park: 'parking records',
  trim: 'trimming the log',
  behindSince: 'reading positions',
};

type Method = (...args: unknown[]) => Promise<unknown>;

/** The same engine; the results of the calls that move mail on go to `store`, those of publishing to `log`. */
export function watchedEngine(engine: Engine, { store, log }: { store: FailingWork; log: FailingWork }): Engine {
  const stores: Record<string, object> = {};
  for (const [name, port] of Object.entries(engine.stores) as [keyof Stores, object][]) {
    stores[name] = watched(port, name, PURPOSES[name] ?? {}, store);
  }
  return {
    stores: stores as unknown as Stores,
    log: watched(engine.log, 'log', LOG_PURPOSES, log),
    close: () => engine.close(),
  };
}

function watched<T extends object>(port: T, name: string, purposes: object, work: FailingWork): T {
  const methods = Object.entries(purposes).map(([key, purpose]: [string, string]) => {
    const method = (port as Record<string, Method>)[key]!.bind(port);
    const what = `${purpose} (${name}.${key})`;
    return [key, (...args: unknown[]) => note(method(...args), what, work)];
  });
  return methods.length === 0 ? port : ({ ...port, ...Object.fromEntries(methods) } as T);
}

async function note(call: Promise<unknown>, what: string, work: FailingWork): Promise<unknown> {
  try {
    const result = await call;
    work.worked(what);
    return result;
  } catch (error) {
    // An answer to this caller, and no failure of the store.
    if (error instanceof DuplicateError) work.worked(what);
    else work.failed(what, error);
    throw error;
  }
}
