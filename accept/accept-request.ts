import type { Channel } from '../domain/message';
import type { Workspace } from '../domain/workspace';
import type { Source } from '../schemas/normalize';

/** One message as it came in at a door, REST or SMTP. */
export interface AcceptRequest {
  workspace: Workspace;
  channel: Extract<Channel, 'api' | 'smtp'>;
  /** The fields of POST /messages, untidied. */
  fields: object;
  source: Source;
  idempotencyKey: string | null;
}
