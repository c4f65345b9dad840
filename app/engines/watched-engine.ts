import { DuplicateError } from '../../lib/errors';
import type { Stores } from '../../stores/ports';
import type { Engine } from '../../stores/ports/engine';
import { wrapEveryPort } from '../../stores/wrappers/wrap-engine';
import type { EventLog } from '../../streams/event-log';
import type { FailingWork } from '../core/failing-work';

/** What the calls of a store do, as `/readyz` says it. */
type Purposes<P> = { readonly [S in keyof P]?: { readonly [M in keyof P[S]]?: string } };

const CLAIMING = 'claiming messages';
const RECORDING = 'recording message outcomes';
const SETTLING = 'processing deadlines';
const LEASES = 'renewing leases';
const DUE_WORK = 'running due work';
const REPORTS = 'applying reports';

/** The calls that move mail on. When one of them fails all the time, mail stands still. */
const PURPOSES: Purposes<Stores & { log: EventLog }> = {
  queue: {
    claim: CLAIMING,
    workspacesWaiting: CLAIMING,
    nextDue: CLAIMING,
    recentClaims: CLAIMING,
    backlogByClass: CLAIMING,
  },
  messages: { accept: 'accepting messages', change: RECORDING, job: 'loading messages', get: 'reading messages' },
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
  deliveries: { fanOut: 'storing events for webhooks', finish: 'recording webhook deliveries' },
  coins: { post: 'booking coins' },
  signals: { store: 'recording opens and clicks', flag: REPORTS },
  suppressions: { add: REPORTS },
  contacts: { raiseStatus: REPORTS },
  log: {
    publish: 'publishing records',
    park: 'parking records',
    trim: 'trimming the log',
    behindSince: 'reading positions',
  },
};

/** The same engine; the results of the calls that move mail on go to `store`, those of the log to `log`. */
export const watchedEngine = (engine: Engine, { store, log }: { store: FailingWork; log: FailingWork }): Engine =>
  wrapEveryPort(engine, (port, method) => {
    const purpose = (PURPOSES[port] as Record<string, string> | undefined)?.[method];
    if (purpose === undefined) return undefined;
    const what = `${purpose} (${port}.${method})`;
    return (inner) =>
      (...args) =>
        note(inner(...args), what, port === 'log' ? log : store);
  });

const note = (call: Promise<unknown>, what: string, work: FailingWork): Promise<unknown> =>
  call.then(
    (result) => {
      work.worked(what);
      return result;
    },
    (error: unknown) => {
      // An answer to this caller, and no failure of the store.
      if (error instanceof DuplicateError) work.worked(what);
      else work.failed(what, error);
      throw error;
    },
  );
