import { performance } from 'node:perf_hooks';
import type { Message } from '../../domain/messages/message';
import type { Stores } from '../../stores/ports';
import type { CampaignRuns } from '../../stores/ports/campaign-runs';
import type { CoinLedger } from '../../stores/ports/coin-ledger';
import type { Engine } from '../../stores/ports/engine';
import type { Changed, Decide, MessageChange, MessageStore } from '../../stores/ports/message-store';
import type { SendQueue } from '../../stores/ports/send-queue';
import type { MessageMetrics } from './message-metrics';

/** The same engine; what it did with messages and coins is counted once the store has it. */
export function measuredEngine(engine: Engine, metrics: MessageMetrics): Engine {
  const { stores } = engine;
  const measured: Stores = {
    ...stores,
    messages: measuredStore(stores.messages, metrics),
    queue: measuredQueue(stores.queue, metrics),
    coins: measuredCoins(stores.coins, metrics),
    campaignRuns: measuredRuns(stores.campaignRuns, metrics),
  };
  return { stores: measured, log: engine.log, close: () => engine.close() };
}

/** Real time, s. */
const since = (begun: number): number => (performance.now() - begun) / 1_000;

function measuredStore(messages: MessageStore, metrics: MessageMetrics): MessageStore {
  return {
    ...messages,
    accept: async (acceptances) => {
      const begun = performance.now();
      const outcomes = await messages.accept(acceptances);
      metrics.waits.acceptTime.observe(since(begun));
      for (let n = 0; n < outcomes.length; n += 1) {
        const { channel, lane } = acceptances[n]!.facts;
        metrics.accepted(channel, lane, outcomes[n]!);
      }
      return outcomes;
    },
    change: async (id, decide, known) => {
      // The last decision is the one that was written.
      const last: { before: Message | null; change: MessageChange | null } = { before: null, change: null };
      const noted: Decide = (message) => {
        last.before = message;
        last.change = decide(message);
        return last.change;
      };
      const changed = await messages.change(id, noted, known);
      countChange(changed, last, metrics);
      return changed;
    },
  };
}

function countChange(
  { applied }: Changed,
  { before, change }: { before: Message | null; change: MessageChange | null },
  metrics: MessageMetrics,
): void {
  if (applied && before && change) metrics.changed(before, change);
}

function measuredQueue(queue: SendQueue, metrics: MessageMetrics): SendQueue {
  return {
    ...queue,
    claim: async (request) => {
      const begun = performance.now();
      const result = await queue.claim(request);
      metrics.waits.claimTime.observe(since(begun));
      if (result.kind === 'claimed')
        metrics.claimed(request.lane, { claimed: result.claimed.length, refused: result.refused });
      return result;
    },
  };
}

function measuredCoins(coins: CoinLedger, metrics: MessageMetrics): CoinLedger {
  return {
    ...coins,
    post: async (entry) => {
      const outcome = await coins.post(entry);
      if (outcome === 'posted') metrics.booked(entry.kind, entry.amount);
      return outcome;
    },
  };
}

function measuredRuns(runs: CampaignRuns, metrics: MessageMetrics): CampaignRuns {
  return {
    ...runs,
    feed: async (campaign, limit, at) => {
      const fed = await runs.feed(campaign, limit, at);
      metrics.fed(fed.accepted);
      return fed;
    },
    settle: async (campaign, limit, at) => {
      const done = await runs.settle(campaign, limit, at);
      metrics.cancelled(done.failed);
      return done;
    },
  };
}
