import type { EventLog } from '../../streams/event-log';
import type { Stores } from './index';

/** One engine: the stores and the log that their commits publish to. */
export interface Engine {
  stores: Stores;
  log: EventLog;
  /** Finishes pending writes and releases the data. */
  close(): Promise<void>;
}
