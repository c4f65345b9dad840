import type { Stores } from '../../stores/ports';
import type { Consumer } from '../consumer';
import { engagementPipeline, type EngagementOptions } from './pipeline';

export interface EngagementDeps extends EngagementOptions {
  stores: Pick<Stores, 'messages' | 'contacts' | 'signals'>;
}

/** Enough to share group commits. Each record costs one read and one or two small writes. */
const CONCURRENCY = 64;

/**
 * Handles opens, clicks and unsubscribes from the public pages: stores them, applies them, and announces them to
 * webhooks (docs/architecture.md#signals).
 */
export function createEngagementConsumer({ stores, ...options }: EngagementDeps): Consumer<'engagement'> {
  const engage = engagementPipeline(stores, options);
  return { group: 'engagement', concurrency: CONCURRENCY, handle: (record) => engage(record.value) };
}
