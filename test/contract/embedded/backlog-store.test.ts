import { describeBacklogStore } from '../backlog-store.suite';
import { openTemporary } from './open';

describeBacklogStore(openTemporary);
