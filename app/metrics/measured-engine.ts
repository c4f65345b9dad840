import { performance } from 'node:perf_hooks';
import type { Message } from '../../domain/messages/message';
import type { Wraps } from '../../lib/wrap-methods';
import type { CampaignRuns } from '../../stores/ports/campaign-runs';
import type { CoinLedger } from '../../stores/ports/coin-ledger';
import type { Engine } from '../../stores/ports/engine';
import type { Changed, Decide, MessageChange, MessageStore } from '../../stores/ports/message-store';
import type { SendQueue } from '../../stores/ports/send-queue';
import { wrapEngine } from '../../stores/wrappers/wrap-engine';
import type { MessageMetrics } from './message-metrics';

/** The same engine; what it did with messages and coins is counted once the store has it. */
export const measuredEngine = (engine: Engine, metrics: MessageMetrics): Engine =>
  wrapEngine(engine, {
    messages: measuredStore(metrics),
    queue: measuredQueue(metrics),
    coins: measuredCoins(metrics),
    campaignRuns: measuredRuns(metrics),
  });

/** Real time, s. */
const since = (begun: number): number => (performance.now() - begun) / 1_000;

const measuredStore = (metrics: MessageMetrics): Wraps<MessageStore> => ({
  accept: (accept) => async (acceptances) => {
    const begun = performance.now();
    const outcomes = await accept(acceptances);
    metrics.waits.acceptTime.observe(since(begun));
    for (let n = 0; n < outcomes.length; n += 1) {
      const { channel, lane } = acceptances[n]!.facts;
      metrics.accepted(channel, lane, outcomes[n]!);
    }
    return outcomes;
  },
  change: (apply) => async (id, decide, known) => {
    // The last decision is the one that was written.
    const last: { before: Message | null; change: MessageChange | null } = { before: null, change: null };
    const noted: Decide = (message) => {
      last.before = message;
      last.change = decide(message);
      return last.change;
    };
    const changed = await apply(id, noted, known);
    countChange(changed, last, metrics);
    return changed;
  },
});

function countChange(
  { applied }: Changed,
  { before, change }: { before: Message | null; change: MessageChange | null },
  metrics: MessageMetrics,
): void {
  if (applied && before && change) metrics.changed(before, change);
}

const measuredQueue = (metrics: MessageMetrics): Wraps<SendQueue> => ({
  claim: (claim) => async (request) => {
    const begun = performance.now();
    const result = await claim(request);
    metrics.waits.claimTime.observe(since(begun));
    if (result.kind === 'claimed')
      metrics.claimed(request.lane, { claimed: result.claimed.length, refused: result.refused });
    return result;
  },
});

const measuredCoins = (metrics: MessageMetrics): Wraps<CoinLedger> => ({
  post: (post) => async (entry) => {
    const outcome = await post(entry);
    if (outcome === 'posted') metrics.booked(entry.kind, entry.amount);
    return outcome;
  },
});

const measuredRuns = (metrics: MessageMetrics): Wraps<CampaignRuns> => ({
  feed: (feed) => async (campaign, limit, at) => {
    const fed = await feed(campaign, limit, at);
    metrics.fed(fed.accepted);
    return fed;
  },
  settle: (settle) => async (campaign, limit, at) => {
    const done = await settle(campaign, limit, at);
    metrics.cancelled(done.failed);
    return done;
  },
});
