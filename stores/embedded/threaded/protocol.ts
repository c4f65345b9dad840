import type { EngagementStore } from '../../ports/engagement-store';
import type { MessageFinder } from '../../ports/message-finder';
import type { MessageStore } from '../../ports/message-store';
import type { GroupTable } from '../../../streams/topics';
import type { AppendedRow } from '../log/log-tail';

/** Passed to the thread when it starts. */
export interface ThreadOptions {
  file: string;
  groups?: GroupTable;
}

/** One call: its number, its name in `threadMethods`, and its arguments. */
export type Call = readonly [id: number, name: string, args: readonly unknown[]];

/** The calls of one turn of the caller's event loop. */
export interface Calls {
  /** The current time of the caller, ms; the thread has no clock. */
  now: number;
  calls: readonly Call[];
}

/** An error as plain data; its name identifies its class. */
export interface FlatError {
  name: string;
  message: string;
}

/** The outcomes of calls, once they are durable. */
export interface Outcomes {
  done: (readonly [id: number, value: unknown])[];
  failed: (readonly [id: number, error: FlatError])[];
  /** New records of the log, including those of calls that were answered earlier. */
  appended: AppendedRow[];
}

/** The slow reads that run in the query worker: `EngagementStore.top`, and searches of messages. */
export interface Queries {
  top: EngagementStore['top'];
  messages: MessageStore['list'];
  search: MessageFinder['find'];
}

/** A query: its kind and its arguments, the workspace first. */
export type Query = { [K in keyof Queries]: readonly [kind: K, ...args: Parameters<Queries[K]>] }[keyof Queries];

/** The result of a query, or its error. */
export interface QueryOutcome {
  value?: QueryValue;
  error?: FlatError;
}
export type QueryValue = Awaited<ReturnType<Queries[keyof Queries]>>;
