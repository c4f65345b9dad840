import { describeBacklogStore } from '../backlog-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeBacklogStore(openTemporaryThreaded);
