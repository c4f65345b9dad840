import { describeEventLog } from '../event-log.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeEventLog(openTemporaryThreaded);
