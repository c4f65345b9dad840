import type { Consumer } from '../consumer';
import type { DispatchDeps } from './deps';
import { MailsInHand } from './mails-in-hand';
import { dispatchPipeline } from './pipeline';

/**
 * Records that may wait for a slot or for memory: more than the throttles claim ahead for a process. They are small.
 */
const MAX_WAITING = 1_000;

/** The group that hands claimed messages to the sending server (docs/architecture.md). */
export function createDispatchConsumer(deps: DispatchDeps): Consumer<'dispatch'> {
  const { concurrency, mailMemory, activity } = deps;
  const inHand = new MailsInHand({ mails: concurrency, memory: mailMemory, activity });
  const handle = dispatchPipeline(deps, inHand);
  return {
    group: 'dispatch',
    concurrency: concurrency + MAX_WAITING,
    handle: ({ value }) => handle(value),
    onStop: () => inHand.stop(),
  };
}
