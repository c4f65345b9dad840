import type { Stores } from '../../stores/ports';
import type { PostOutcome } from '../../stores/ports/coin-ledger';
import type { Result } from '../../streams/results';
import { drop, ok } from '../../streams/results';
import type { Consumer } from '../consumer';

export interface CoinsDeps {
  stores: Pick<Stores, 'coins'>;
}

const RESULTS: Record<PostOutcome, Result> = {
  posted: ok,
  exists: drop('already booked'),
  gated: drop('booked for this gate within its window'),
};

/** Enough to share group commits. */
const CONCURRENCY = 64;

/**
 * Books refunds, penalties, top-ups and late debits (docs/architecture.md#coins). Idempotent: the id of an entry comes
 * from its fact, and the ledger itself knows what is already booked and which gate is closed.
 */
export function createCoinsConsumer({ stores }: CoinsDeps): Consumer<'coins'> {
  return {
    group: 'coins',
    concurrency: CONCURRENCY,
    handle: async ({ value }) => RESULTS[await stores.coins.post(value)],
  };
}
