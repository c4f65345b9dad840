import { describeBacklogStore } from '../backlog-store.suite';
import { onCluster } from './open';

onCluster(describeBacklogStore);
