import { toAcceptance, toAcceptanceRow } from '../../../stores/embedded/messages/acceptance-row';
import { openEmbedded, type EmbeddedOptions } from '../../../stores/embedded/open';
import { LOG_THREAD_METHODS, storeMethods } from '../../../stores/embedded/threaded/methods';
import type { Stores } from '../../../stores/ports';
import type { Engine } from '../../../stores/ports/engine';
import type { MessageStore } from '../../../stores/ports/message-store';
import type { RecordStore } from '../../../stores/ports/record-store';

type Method = (...args: unknown[]) => Promise<unknown>;

/** The method with its arguments and its result as they arrive from a thread: copied, whatever a copy loses. */
const copied =
  (method: Method): Method =>
  async (...args) =>
    structuredClone(await method(...structuredClone(args)));

function copying<T extends object>(target: T, names: readonly string[]): T {
  const methods = target as Record<string, Method>;
  return { ...target, ...Object.fromEntries(names.map((name) => [name, copied(methods[name]!)])) };
}

/** What the caller of the thread composes crosses as rows and as a change (open-threaded.ts). */
const copyingMessages = (messages: MessageStore): MessageStore => ({
  ...messages,
  accept: async (acceptances) =>
    structuredClone(await messages.accept(structuredClone(acceptances.map(toAcceptanceRow)).map(toAcceptance))),
  change: (id, decide, known) => messages.change(id, (message) => structuredClone(decide(message)), known),
});

/** A kind stays with the caller: only what is written of it crosses. */
const copyingRecords = (records: RecordStore): RecordStore => ({
  ...records,
  add: (kind, entry, now) => records.add(kind, structuredClone(entry), now),
  replace: (kind, held, written, now) => records.replace(kind, structuredClone(held), structuredClone(written), now),
});

/**
 * The embedded engine, whose calls that run in the store's thread in the service take and give copies: each case of
 * the contract shows that they survive it, without the cost of a thread.
 */
export async function openCopied(options: EmbeddedOptions): Promise<Engine> {
  const { stores, log, close } = await openEmbedded(options);
  const names = Object.keys(stores) as (keyof Stores)[];
  const each = names.map((name) => [name, copying<object>(stores[name], storeMethods(name))] as const);
  const copies = Object.fromEntries(each) as unknown as Stores;
  return {
    stores: { ...copies, messages: copyingMessages(copies.messages), records: copyingRecords(stores.records) },
    log: copying(log, LOG_THREAD_METHODS),
    close,
  };
}
