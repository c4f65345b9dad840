import { describeEventLog } from '../event-log.suite';
import { openTemporary } from './open';

describeEventLog(openTemporary);
