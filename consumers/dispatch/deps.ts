import type { Clock } from '../../lib/clock';
import type { Keyring } from '../../domain/keyring';
import type { Composer } from '../../email/composing/composer';
import type { Transport } from '../../email/transports/transport';
import type { Stores } from '../../stores/ports';
import type { Logger } from '../../lib/logger';

export interface DispatchDeps {
  stores: Pick<Stores, 'messages' | 'domains' | 'workspaces'>;
  transport: Transport;
  composer: Pick<Composer, 'compose'>;
  keyring: Keyring;
  clock: Clock;
  /** Base of tracking links and pages, without a trailing slash. */
  publicUrl: () => string;
  /** How long a handed over message waits for a report, ms (docs/architecture.md). */
  evidenceWait: number;
  /** Hand-offs under way at once. */
  concurrency: number;
  newToken: () => string;
  /** False once the process lease may have run out since the token was made: nothing may be handed over with it then. */
  isLeaseValid: (token: string) => boolean;
  logger: Logger;
}
