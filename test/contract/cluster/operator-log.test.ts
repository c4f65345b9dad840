import { describeOperatorLog } from '../operator-log.suite';
import { onCluster } from './open';

onCluster(describeOperatorLog);
