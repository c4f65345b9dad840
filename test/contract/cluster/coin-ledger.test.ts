import { describeCoinLedger } from '../coin-ledger.suite';
import { onCluster } from './open';

onCluster(describeCoinLedger);
