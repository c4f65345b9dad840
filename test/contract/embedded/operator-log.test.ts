import { describeOperatorLog } from '../operator-log.suite';
import { openTemporary } from './open';

describeOperatorLog(openTemporary);
