import { describeCoinLedger } from '../coin-ledger.suite';
import { openWrapped } from './open';

describeCoinLedger(openWrapped);
