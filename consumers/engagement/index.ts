import type { Stores } from '../../stores/ports';
import type { Consumer } from '../consumer';
import { engagementPipeline } from './pipeline';

export interface EngagementDeps {
  stores: Pick<Stores, 'messages' | 'contacts' | 'signals'>;
}

/** Enough to share group commits; each record costs a read and one or two small writes. */
const CONCURRENCY = 64;

/**
 * Opens, clicks and unsubscribes of the public pages: kept, acted upon, and told to the webhooks
 * (docs/architecture.md#signals).
 */
export function createEngagementConsumer({ stores }: EngagementDeps): Consumer<'engagement'> {
  const engage = engagementPipeline(stores);
  return { group: 'engagement', concurrency: CONCURRENCY, handle: (record) => engage(record.value) };
}
