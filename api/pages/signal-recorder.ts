import type { RouterContext } from '@koa/router';
import type { Clock } from '../../lib/clock';
import { SECOND } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import { withTimeout } from '../../lib/with-timeout';
import type { HitFacts, HitKind } from '../../domain/engagement/machine';
import type { RateLimiter } from '../../stores/ports/rate-limiter';
import type { EventLog } from '../../streams/event-log';
import { clientAddress, widerNetwork } from '../../lib/client-network';
import { hitLimit } from './hit-limit';
import { factsReader, type FactsDeps } from './hit-facts';

export interface RecorderDeps extends FactsDeps {
  log: Pick<EventLog, 'publish'>;
  clock: Clock;
  rateLimiter: RateLimiter;
  /** Creates the unique id of a signal. */
  newId: () => string;
  logger: Pick<Logger, 'warn'>;
  /** How long a recipient waits for the log, ms of real time; tests shorten it. */
  timeouts?: Record<HitKind, number>;
}

/** A redirect or an image should not wait for a stalled log; an unsubscribe is worth a wait. */
const TIMEOUTS: Record<HitKind, number> = {
  click: 3 * SECOND,
  open: 3 * SECOND,
  hidden: 3 * SECOND,
  unsubscribe: 10 * SECOND,
};

/** Nothing is decided about who unsubscribes. */
const UNJUDGED: HitFacts = { method: 'POST', agent: null, network: null, client: null };

/** A hit on a link of a message; `link` is the place of the destination of a click. */
export interface RequestedHit {
  kind: HitKind;
  messageId: string;
  link?: number;
}

/**
 * Records what a recipient did, in the log first (docs/architecture.md#signals), with the facts of the request.
 * Resolves to true once the record is durable. False when the log refused or did not answer in time: the record may or
 * may not appear later, so the caller must promise nothing. A hit above the limit of its network is left out, and true.
 */
export type RecordSignal = (ctx: RouterContext, hit: RequestedHit) => Promise<boolean>;

export function signalRecorder(deps: RecorderDeps): RecordSignal {
  const timeouts = deps.timeouts ?? TIMEOUTS;
  const readFacts = factsReader(deps);
  const mayRecord = hitLimit(deps);
  return async function recordSignal(ctx, { kind, messageId, link }) {
    const network = widerNetwork(clientAddress(ctx.req, deps.trustedHops));
    // Who unsubscribes is always heard.
    if (kind !== 'unsubscribe' && !(await mayRecord(`${kind}:${messageId}:${link ?? ''}`, network))) return true;
    const hit = { id: deps.newId(), messageId, kind, at: deps.clock.now(), link: link ?? null };
    const value = { ...hit, ...(kind === 'unsubscribe' ? UNJUDGED : readFacts(ctx, hit)) };
    try {
      const published = deps.log.publish([{ topic: 'engagement.hits', key: messageId, value }]);
      await withTimeout(published, timeouts[kind], { what: 'the log' });
      return true;
    } catch (err) {
      deps.logger.warn({ err, kind, messageId }, 'recording a signal failed');
      return false;
    }
  };
}
