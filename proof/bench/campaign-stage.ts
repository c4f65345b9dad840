import type { Helper } from './helper';
import type { Sender } from './message-request';
import type { Service } from './service';

/** No rate holds a bench up, mails a minute. */
export const NO_RATE = 10_000_000;

/** Everything that the measurements of campaigns run on. */
export interface CampaignStage {
  folder: string;
  secret: string;
  sender: Sender;
  sink: Helper<'sink'>;
  sinkPort: number;
  /** Fills audiences and starts services on the data of the stage. */
  fill(contacts: number, campaigns: number): Promise<number[]>;
  start(): Promise<Service>;
  /** Gives the account this rate, mails a minute, while no service runs. */
  limit(perMinute: number): Promise<void>;
}
