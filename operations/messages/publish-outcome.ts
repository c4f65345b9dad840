import { SECOND } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import { withTimeout } from '../../lib/with-timeout';
import type { MailOutcome, OutcomeSubscriber } from './mail-outcome';

/** How long an outcome waits for a subscriber, ms of real time: what it does goes on after that, unheard. */
const PATIENCE = 5 * SECOND;

/**
 * Tells subscribers what became of messages, all in their order (docs/architecture.md#outcomes). One that fails or does
 * not end is logged, and harms neither the outcome nor the others. Most outcomes concern nobody: a promise is made only
 * when a subscriber returns one.
 */
export class OutcomePublisher {
  constructor(
    private readonly subscribers: readonly OutcomeSubscriber[],
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly patience = PATIENCE,
  ) {}

  /** Call before the outcome is stored. Returns what subscribers did, in words. Never throws or rejects. */
  beforeStored(outcome: MailOutcome): readonly string[] | Promise<readonly string[]> {
    const said = this.ask(outcome, (subscriber) => subscriber.beforeStored?.(outcome));
    return said instanceof Promise ? said.then(textsOf) : textsOf(said);
  }

  /** Call once the outcome has changed its message. Never throws or rejects. */
  stored(outcome: MailOutcome): void | Promise<void> {
    const heard = this.ask(outcome, (subscriber) => subscriber.stored?.(outcome));
    if (heard instanceof Promise) return heard.then(() => undefined);
  }

  private ask<T>(outcome: MailOutcome, call: Call<T>): Answer<T>[] | Promise<Answer<T>[]> {
    const answers: Answer<T>[] = [];
    const pending: Promise<void>[] = [];
    this.subscribers.forEach((subscriber, n) => {
      const failed = (err: unknown): void => {
        const facts = { err, messageId: outcome.message.id, subscriber: subscriber.name };
        this.logger.warn(facts, 'a subscriber failed to handle the outcome of a message');
      };
      try {
        const answer = call(subscriber);
        if (!(answer instanceof Promise)) answers[n] = answer;
        else pending.push(withTimeout(answer, this.patience).then((later) => void (answers[n] = later), failed));
      } catch (err) {
        failed(err);
      }
    });
    return pending.length === 0 ? answers : Promise.all(pending).then(() => answers);
  }
}

type Answer<T> = T | undefined;
type Call<T> = (subscriber: OutcomeSubscriber) => Answer<T> | Promise<T>;

const textsOf = (said: readonly (string | null | undefined)[]): readonly string[] =>
  said.filter((text) => typeof text === 'string');
