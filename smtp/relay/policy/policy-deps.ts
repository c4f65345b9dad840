import type { Clock } from '../../../lib/clock';
import type { Logger } from '../../../lib/logger';
import type { Keyring } from '../../../domain/keyring';
import type { Stores } from '../../../stores/ports';
import type { RateLimiter } from '../../../stores/ports/rate-limiter';
import type { EventLog } from '../../../streams/event-log';
import type { MailFault, SubmittedMail } from '../mail/submitted-mail';

/** What the policy of the relay needs. */
export interface SubmissionPolicyDeps {
  stores: Pick<
    Stores,
    | 'credentials'
    | 'workspaces'
    | 'settings'
    | 'domains'
    | 'contacts'
    | 'suppressions'
    | 'coins'
    | 'messages'
    | 'templates'
  >;
  log: Pick<EventLog, 'publish'>;
  keyring: Keyring;
  clock: Clock;
  /** Ids of new messages: UUIDv7 with the milliseconds of `clock`. */
  newId: () => string;
  /** Shared by all processes. Counts wrong logins, and recipients taken. */
  rateLimiter: RateLimiter;
  /** False while this process may accept nothing; another one can. */
  mayAct: () => boolean;
  /** Reads a mail as it came after the final dot. */
  read: (content: Buffer) => Promise<SubmittedMail | MailFault>;
  /** Base of links and pages, without a trailing slash. */
  publicUrl: () => string;
  /** Waits ms of real time before a wrong login is answered. */
  sleep: (ms: number) => Promise<void>;
  logger: Pick<Logger, 'error'>;
}

/** Who sends on a connection: what AUTH found, to be looked at again for each mail. */
export interface Login {
  username: string;
  workspaceId: number;
  /** The hash of the password that was given. */
  hash: string;
}
