import type { Consumer } from '../consumer';
import type { DispatchDeps } from './deps';
import { dispatchPipeline } from './pipeline';

/** The group that hands claimed messages to the sending server (docs/architecture.md). */
export function createDispatchConsumer(deps: DispatchDeps): Consumer<'dispatch'> {
  const handle = dispatchPipeline(deps);
  return { group: 'dispatch', concurrency: deps.concurrency, handle: ({ value }) => handle(value) };
}
