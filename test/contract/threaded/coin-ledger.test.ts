import { describeCoinLedger } from '../coin-ledger.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeCoinLedger(openTemporaryThreaded);
