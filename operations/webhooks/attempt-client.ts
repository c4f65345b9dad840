import type { Keyring } from '../../domain/keyring';
import { maskAddresses } from '../../domain/addresses/mask-addresses';
import type { DeliveryAttempt } from '../../domain/webhooks/webhook-delivery';
import type { Clock } from '../../lib/clock';
import type { ClaimedTask } from '../../stores/ports/due-tasks';
import type { PostResult } from '../../stores/ports/journey-posts';
import { signedHeaders } from './client/sign';
import type { WebhookSender } from './client/webhook-sender';

/** Why an attempt has no answer that a process died in. */
const INTERRUPTED = 'The attempt was interrupted before its result was stored.';
/** The reason of an attempt that was ended early so that the clock could move. */
export const HURRIED = 'There was no response within 2 seconds, and the clock was advanced.';

/** One signed request. */
interface AttemptRequest {
  url: string;
  secret: { sealed: string; context: string };
  /** The `webhook-id` header: the same for every attempt. */
  id: string;
  payload: object;
}

/** What is known of the attempts of a claimed task before this one. */
interface AttemptsSoFar {
  /** Attempts that were stored. */
  made: number;
  /** Attempts that it may make. */
  allowed: number;
  /** This attempt was asked for: it is one, also when a process died in it. */
  isRetry?: boolean;
  /** When the next one is due, ms, after these new ones. */
  nextAt(attempts: readonly DeliveryAttempt[]): number;
}

/** What the attempts changed. */
interface AttemptResult extends PostResult {
  /** The attempt with a request; null when no more were allowed. */
  sent: DeliveryAttempt | null;
}

/** Makes the attempts of webhooks and of the webhook steps of journeys (docs/contract.md#webhook-delivery). */
export class AttemptClient {
  constructor(
    private readonly deps: {
      keyring: Pick<Keyring, 'open'>;
      sender: Pick<WebhookSender, 'send'>;
      clock: Pick<Clock, 'now'>;
    },
  ) {}

  /**
   * Makes one attempt, if it may, and says what follows. Attempts that a process died in were counted at their claim,
   * and are listed before it. Throws when the program stops during the attempt: it is made again.
   */
  async attempt(
    task: Pick<ClaimedTask, 'attempt' | 'dueAt'>,
    soFar: AttemptsSoFar,
    request: () => Promise<AttemptRequest>,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const { made, allowed, isRetry = false } = soFar;
    const mark = isRetry ? ({ isRetry } as const) : {};
    // A claim beyond what is allowed made no attempt.
    const lost = Array.from({ length: Math.max(0, Math.min(task.attempt - 1, allowed) - made) }, () => ({
      at: task.dueAt,
      status: null,
      error: INTERRUPTED,
      durationMs: null,
      answer: null,
      ...mark,
    }));
    const isOver = made + lost.length >= allowed || (isRetry && lost.length > 0);
    const sent = isOver ? null : { ...(await this.send(await request(), signal)), ...mark };
    const attempts: DeliveryAttempt[] = sent ? [...lost, sent] : lost;
    const result = { attempts, nextAt: null, sent };
    if (sent?.error === null) return { ...result, state: 'delivered' };
    if (made + attempts.length >= allowed) return { ...result, state: 'given_up' };
    return { ...result, state: 'waiting', nextAt: soFar.nextAt(attempts) };
  }

  private async send({ url, secret, id, payload }: AttemptRequest, signal: AbortSignal): Promise<DeliveryAttempt> {
    const { keyring, sender, clock } = this.deps;
    const body = Buffer.from(JSON.stringify(payload));
    const at = clock.now();
    const headers = signedHeaders({ secret: keyring.open(secret.sealed, secret.context), id, at, body });
    const { status, error, durationMs, answer } = await sender.send({ url, headers, body, signal });
    if (signal.aborted && signal.reason !== HURRIED) throw new Error('The program stopped during the attempt.');
    const reason = signal.aborted && error !== null ? HURRIED : error;
    return { at, status, error: reason, durationMs, answer: answer === null ? null : maskAddresses(answer) };
  }
}
