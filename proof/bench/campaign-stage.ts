import type { Helper } from './helper';
import type { Sender } from './message-request';
import type { Service } from './service';

/** Everything that the measurements of campaigns run on. */
export interface CampaignStage {
  folder: string;
  secret: string;
  sender: Sender;
  sink: Helper<'sink'>;
  sinkPort: number;
  /** Fills audiences and starts services on the data of the stage. */
  fill(contacts: number, campaigns: number): Promise<number[]>;
  start(env?: Record<string, string>): Promise<Service>;
}
