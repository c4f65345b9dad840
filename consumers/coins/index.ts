import type { LedgerEntry } from '../../domain/ledger/coins';
import type { Stores } from '../../stores/ports';
import type { PostOutcome } from '../../stores/ports/coin-ledger';
import type { Result } from '../../streams/results';
import { drop, ok } from '../../streams/results';
import type { Consumer } from '../consumer';
import { notInStore } from '../not-in-store';

export interface CoinsDeps {
  stores: Pick<Stores, 'coins' | 'messages' | 'workspaces'>;
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
 * from its fact, and the ledger itself knows what is already booked and which gate is closed. An entry of a message or
 * workspace that is not in the store is not booked: ids of workspaces are small numbers, which other installations have
 * too.
 */
export function createCoinsConsumer({ stores }: CoinsDeps): Consumer<'coins'> {
  return {
    group: 'coins',
    concurrency: CONCURRENCY,
    handle: async ({ value }) => ((await isOurs(stores, value)) ? RESULTS[await stores.coins.post(value)] : notInStore),
  };
}

async function isOurs({ messages, workspaces }: CoinsDeps['stores'], entry: LedgerEntry): Promise<boolean> {
  const { messageId, workspaceId } = entry;
  if (messageId === null) return (await workspaces.get(workspaceId)) !== null;
  return (await messages.get(messageId))?.workspaceId === workspaceId;
}
