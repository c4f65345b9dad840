import type { Consumer } from '../consumer';
import { feedbackPipeline, type FeedbackDeps } from './pipeline';

const CONCURRENCY = 200;

/** The group that applies the reports of sending servers (docs/architecture.md). */
export function createFeedbackConsumer(deps: FeedbackDeps): Consumer<'mta-feedback'> {
  const handle = feedbackPipeline(deps);
  return { group: 'mta-feedback', concurrency: CONCURRENCY, handle: ({ value }) => handle(value) };
}
