import type { Activity } from '../../lib/activity';
import type { BounceRules } from '../../domain/bounces/bounce-rules';
import type { RoutedMail } from '../../domain/sending/server-routes';
import type { Clock } from '../../lib/clock';
import type { Keyring } from '../../domain/keyring';
import type { Composer } from '../../email/composing/composer';
import type { Transport } from '../../email/transports/transport';
import type { OutcomePublisher } from '../../operations/messages/publish-outcome';
import type { Stores } from '../../stores/ports';
import type { Logger } from '../../lib/logger';

export interface DispatchDeps {
  stores: Pick<Stores, 'messages' | 'domains' | 'workspaces'>;
  transport: Transport;
  composer: Pick<Composer, 'compose'>;
  keyring: Keyring;
  clock: Clock;
  /** Over which of several servers a mail goes; null: over the first. Absent: there is one. */
  serverOf?: (mail: RoutedMail) => string | null;
  /** Base of tracking links and pages, without a trailing slash. */
  publicUrl: () => string;
  /** Names the installation in Feedback-ID, see feedbackSender. */
  feedbackSender: string;
  /** See ComposeInput. */
  unmarkedHosts: readonly string[];
  /** How long a handed over message waits for a report, ms (docs/architecture.md). */
  evidenceWait: number;
  /** Reads the sending server's refusals; default: the rules that Kurir comes with. */
  rules?: BounceRules;
  /** See RecordDeps. */
  outcomes?: Pick<OutcomePublisher, 'beforeStored' | 'stored'>;
  logServer?: string | null;
  /** The most mails in hand at the same time. */
  concurrency: number;
  /** Memory for large mails in hand, bytes. */
  mailMemory: number;
  /** The largest mail that is composed, bytes. */
  maxMail: number;
  activity: Pick<Activity, 'waiting'>;
  newToken: () => string;
  /**
   * False once the process lease may have run out since the token was made. Nothing may be handed over with that token
   * then.
   */
  isLeaseValid: (token: string) => boolean;
  logger: Logger;
}
