import type { ApiCaller } from '../caller';
import type { Role } from '../role';
import type { Sender } from '../seed';
import type { Registered } from './endpoints';
import type { ReceiverHandlers } from './receiver-role';
import type { StartSubject, Subject } from './subject';

export interface WebhooksOptions {
  program: string;
  start: StartSubject;
  /** Events handed over in all, about. Each goes to ten endpoints. */
  events: number;
  kills: number;
  /** Attempts to watch at endpoints that fail, from 1 to 5; five take 300 s. */
  attempts: number;
  /** How late an attempt may come there, ms; 2 s when absent. */
  late?: number;
  progress: (text: string) => void;
}

/** What a run works with. */
export interface Ground {
  options: WebhooksOptions;
  subject: Subject;
  receivers: Role<ReceiverHandlers>;
  caller: ApiCaller;
  senders: readonly Sender[];
  registered: readonly Registered[];
}
