import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AdvancingClock } from '../../lib/advancing-clock';
import { openEmbedded } from '../../stores/embedded/open';
import { NO_RATE } from './campaign-stage';
import { whole } from './report';
import { seed, type SeededSender } from './seed';
import { addDeliveries, addSales, furnish, type FillDeps, type Furnished } from './shop-fill';
import { SHOP, type Shop, type ShopSize } from './shop-rows';
import { fillShopFile } from './shop-tables';

/** An installation with a shop that does not run. */
export interface FilledShop {
  sender: SeededSender;
  furnished: Furnished;
  /** The id of one of its delivered mails. */
  message: string;
}

/** What is filled: how its stores are opened, and how rows are written past them. */
export interface Empty {
  sender: SeededSender;
  open: (use: (deps: FillDeps) => Promise<void>) => Promise<void>;
  writeMails: (shop: Shop) => Promise<void> | void;
}

/** Fills an installation on any engine that does not run. */
export async function fillShop({ sender, open, writeMails }: Empty, size: ShopSize): Promise<FilledShop> {
  const began = performance.now();
  const said = (what: string): void => console.error(`${what} after ${whole((performance.now() - began) / 1_000)} s`);
  let [furnished, message] = [null as Furnished | null, ''];
  await open(async (deps) => {
    furnished = await furnish(deps, sender, size);
    await deps.stores.workspaces.setRate(SHOP, { perMinute: NO_RATE }, deps.clock.now());
  });
  const { shop, ids } = furnished!;
  said('contacts and campaigns');
  await writeMails(shop);
  said('mails');
  await open(async (deps) => {
    ids['conversions'] = await addSales(deps, shop);
    const { items } = await deps.stores.messages.list(SHOP, { status: 'delivered', offset: 0, limit: 500 });
    const delivered = items.map(({ id }) => id);
    ids['delivery'] = await addDeliveries(deps, Number(ids['webhooks']), delivered);
    message = delivered.at(-1)!;
  });
  said('sales and deliveries');
  return { sender, furnished: furnished!, message };
}

/** Fills an empty data folder of the embedded engine. */
export async function fillFolder(dataDir: string, size: ShopSize): Promise<FilledShop & { secret: string }> {
  const secret = randomBytes(32).toString('hex');
  const [sender] = await seed({ dataDir, secret, workspaces: 1 });
  const file = join(dataDir, 'kurir.sqlite');
  const open: Empty['open'] = async (use) => {
    const clock = new AdvancingClock();
    const engine = await openEmbedded({ file, clock });
    await use({ stores: engine.stores, clock, secret });
    await engine.close();
  };
  return {
    ...(await fillShop({ sender: sender!, open, writeMails: (shop) => fillShopFile(file, shop) }, size)),
    secret,
  };
}
