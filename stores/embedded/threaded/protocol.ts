import type { Engagement } from '../../../domain/engagement';
import type { EngagementStore } from '../../ports/engagement-store';
import type { Page } from '../../ports/page';
import type { GroupTable, TopicName } from '../../../streams/topics';

/** Given to the thread when it starts. */
export interface ThreadOptions {
  file: string;
  groups?: GroupTable;
}

/** One call: its number, its name among `threadMethods`, its arguments. */
export type Call = readonly [id: number, name: string, args: readonly unknown[]];

/** The calls of one turn of the caller's event loop. */
export interface Calls {
  /** The caller's time: the clock stays with it. */
  now: number;
  calls: readonly Call[];
}

/** An error as plain data; its name tells its class. */
export interface FlatError {
  name: string;
  message: string;
}

/** The outcomes of calls, once they are durable. */
export interface Outcomes {
  done: (readonly [id: number, value: unknown])[];
  failed: (readonly [id: number, error: FlatError])[];
  /** Topics that gained records, also by calls answered earlier. */
  topics: TopicName[];
}

/** What the query worker is asked: so far there is one query, EngagementStore.top. */
export type Query = Parameters<EngagementStore['top']>;

/** Its answer, or the error. */
export interface QueryOutcome {
  value?: Page<Engagement>;
  error?: FlatError;
}
