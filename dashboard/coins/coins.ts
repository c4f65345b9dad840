import { filtersOf } from '../kit/filters';
import { workspaceOf } from '../kit/own';
import { page, screen, type Screen } from '../kit/screen';
import { coinsView, type Balance, type Ledger } from './views';

const coins = screen('/coins', 'viewer', async (visit) => {
  const workspace = workspaceOf(visit);
  const ledger = await visit.read<Ledger>('coins.ledger', { workspace, ...filtersOf(visit.query, ['before']) });
  return page(visit.t.coinsTitle, coinsView(visit, await visit.read<Balance>('coins.balance', { workspace }), ledger));
});

export const COINS: readonly Screen[] = [coins];
