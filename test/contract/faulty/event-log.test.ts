import { describeEventLog } from '../event-log.suite';
import { openWrapped } from './open';

describeEventLog(openWrapped);
