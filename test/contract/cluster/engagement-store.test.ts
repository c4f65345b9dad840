import { describeEngagementStore } from '../engagement-store.suite';
import { onCluster } from './open';

onCluster(describeEngagementStore);
