import { describeCoinLedger } from '../coin-ledger.suite';
import { openTemporary } from './open';

describeCoinLedger(openTemporary);
