import { AdvancingClock } from '../../app/core/advancing-clock';
import { fill, makeDkimKey, SECRET, type Account, type Filled } from '../world/template';
import type { Installation } from './installation';

export { SECRET };
/** A workspace that sends. */
export type Sender = Account;

const COINS = 10_000;
/** One workspace in this many is free. */
const FREE_EVERY = 4;

/** Lets a workspace send so many mails a minute; while no service runs. */
export const raiseRate =
  (perMinute: number) =>
  async ({
    stage: { installation },
    senders,
  }: {
    stage: { installation: Installation };
    senders: readonly Sender[];
  }) => {
    const clock = new AdvancingClock();
    const engine = await installation.open(clock);
    for (const { workspaceId } of senders)
      await engine.stores.workspaces.setRate(workspaceId, { perMinute }, clock.now());
    await engine.close();
  };

/** Creates workspaces, each with a domain, a key and coins, on empty data before the service starts. */
export async function seedInstallation(installation: Installation, count: number, coins = COINS): Promise<Filled> {
  const clock = new AdvancingClock();
  const engine = await installation.open(clock);
  const each = Array<number>(count).fill(coins);
  const filled = await fill(engine.stores, clock, each, makeDkimKey(), (n) => (n + 1) % FREE_EVERY === 0);
  await engine.close();
  return filled;
}
