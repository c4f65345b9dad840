import type { OperationFaults } from '../../lib/operation-faults';
import type { LedgerEntry } from '../../domain/ledger/coins';
import type { EventLog } from '../../streams/event-log';
import type { OutgoingRecord } from '../../streams/records';
import type { DeliveryResult } from '../ports/delivery-store';
import type { DueClaimRequest, TaskClaim } from '../ports/due-tasks';
import type { Engine } from '../ports/engine';
import type { Stores } from '../ports/index';
import type { Decide, MessageStore } from '../ports/message-store';
import { faultyReader } from './faulty-reader';
import { faultyMethod, type Label, type Labels } from './faulty-port';
import { wrapEngine, wrapEveryPort } from './wrap-engine';

type PortLabels = { readonly [S in keyof Stores]?: Labels<Stores[S]> } & { log: Labels<EventLog> };

/**
 * An engine whose stores and log have the given faults. Operations are named like `messages.accept` or
 * `log.publish:mta.feedback`, those of a reader of the log `log.<group>.poll` and `log.<group>.commit`. `dueLabels`:
 * more labels for due work.
 */
export function faultyEngine(
  engine: Engine,
  faults: OperationFaults,
  dueLabels: Labels<Stores['dueTasks']> = {},
): Engine {
  const labels: PortLabels = {
    messages: { change: changeLabel(engine.stores.messages) },
    dueTasks: { claim: ({ kind }: DueClaimRequest) => kind, ...dueLabels },
    coins: { post: (entry: LedgerEntry) => entry.kind },
    deliveries: { finish: (_claim: TaskClaim, { state }: DeliveryResult) => state },
    log: { publish: (records: readonly OutgoingRecord[]) => records[0]?.topic ?? null },
  };
  const faulty = wrapEveryPort(engine, (port, method) => {
    // It only computes a value, so nothing can fail.
    if (method === 'partitions') return undefined;
    return faultyMethod(`${port}.${method}`, faults, (labels[port] as Record<string, Label> | undefined)?.[method]);
  });
  return wrapEngine(faulty, {
    log: { reader: (open) => async (group, hooks) => faultyReader(await open(group, hooks), `log.${group}`, faults) },
  });
}

/**
 * What the change will do: the status it sets, `fence`, `unknown`, `closed` for an attempt that ends late, or `noted`.
 */
const changeLabel =
  (messages: MessageStore) =>
  async (id: string, decide: Decide): Promise<string | null> => {
    const message = await messages.get(id);
    const change = message && decide(message);
    if (!change) return null;
    if (change.set.status) return change.set.status;
    if (change.set.fence) return 'fence';
    return change.set.unknown ? 'unknown' : change.attempt ? 'closed' : 'noted';
  };
