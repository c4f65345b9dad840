import type { Role } from '../role';
import type { Scene, SceneOptions } from '../stage/play-scene';
import type { Registered } from './endpoints';
import type { ReceiverHandlers } from './receiver-role';

export interface WebhooksOptions extends SceneOptions {
  /** Events handed over in all, about. Each goes to ten endpoints. */
  events: number;
  kills: number;
  /** Attempts to watch at endpoints that fail, from 1 to 5; five take 300 s. */
  attempts: number;
  /** How late an attempt may come there, ms; 2 s when absent. */
  late?: number;
}

/** What a run works with. */
export interface Ground extends Scene {
  options: WebhooksOptions;
  receivers: Role<ReceiverHandlers>;
  registered: readonly Registered[];
}
