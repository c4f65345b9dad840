import { COINS } from '../../operations/ledger/coins';
import { workspaceOf } from '../kit/workspace-scope';
import { page, screen, type Screen } from '../kit/screen';
import { coinsView } from './views';

/** Rows that are added up, and rows of a page. */
const ADDED = 1_000;
const SHOWN = 50;

const coins = screen('/coins', 'viewer', async (visit) => {
  const workspace = workspaceOf(visit);
  const before = visit.query['before'] ?? null;
  // What is added up are the newest rows: the pages behind the first show only theirs.
  const limit = before === null ? ADDED : SHOWN;
  const { data, next_before: next } = await visit.read(COINS.ledger, { workspace, limit, before });
  const shown = data.slice(0, SHOWN);
  const ledger = { data: shown, next_before: data.length > SHOWN ? (shown.at(-1)?.row ?? null) : next };
  const balance = await visit.read(COINS.balance, { workspace });
  return page(visit.t.coinsTitle, coinsView(visit, balance, ledger, before === null ? data : []));
});

export const COINS_SCREENS: readonly Screen[] = [coins];
