import type { Engagement } from '../../../domain/engagement';
import type { EngagementStore } from '../../ports/engagement-store';
import type { Page } from '../../ports/page';
import type { GroupTable, TopicName } from '../../../streams/topics';

/** Given to the thread when it starts. */
export interface ThreadOptions {
  file: string;
  groups?: GroupTable;
}

/** One call of a write: its number, its name in `WRITES`, its arguments. */
export type Call = readonly [id: number, name: string, args: readonly unknown[]];

/** Everything that was asked for in one turn of the caller's event loop. */
export interface Calls {
  /** The caller's time: the clock stays with it. */
  now: number;
  calls: readonly Call[];
}

/** An error as plain data; its class is told by its name. */
export interface FlatError {
  name: string;
  message: string;
}

/** What became of calls, once it is durable. */
export interface Outcomes {
  done: (readonly [id: number, value: unknown])[];
  failed: (readonly [id: number, error: FlatError])[];
  /** Topics that gained records, also by calls answered earlier. */
  topics: TopicName[];
}

/** What the thread for questions is asked: so far there is one question, EngagementStore.top. */
export type Question = Parameters<EngagementStore['top']>;

/** Its answer, or the error. */
export interface QuestionOutcome {
  value?: Page<Engagement>;
  error?: FlatError;
}
