import { AdvancingClock } from '../../lib/advancing-clock';
import { fill, makeDkimKey, SECRET, type Account, type Filled } from '../world/template';
import { withData, type Installation } from './installation';

export { SECRET };
/** A workspace that sends. */
export type Sender = Account;

const COINS = 10_000;
/** One workspace in this many is free. */
const FREE_EVERY = 4;

/** Lets a workspace send so many mails a minute; while no service runs. */
export const raiseRate =
  (perMinute: number) =>
  ({ stage: { installation }, senders }: { stage: { installation: Installation }; senders: readonly Sender[] }) =>
    withData(installation, async ({ stores }) => {
      for (const { workspaceId } of senders) await stores.workspaces.setRate(workspaceId, { perMinute }, Date.now());
    });

/** Creates workspaces, each with a domain, a key and coins, on empty data before the service starts. */
export function seedInstallation(installation: Installation, count: number, coins = COINS): Promise<Filled> {
  const clock = new AdvancingClock();
  const each = Array<number>(count).fill(coins);
  const isFree = (n: number): boolean => (n + 1) % FREE_EVERY === 0;
  return withData(installation, ({ stores }) => fill(stores, clock, each, makeDkimKey(), isFree), clock);
}
