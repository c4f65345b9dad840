import { describeBounceStore } from '../bounce-store.suite';
import { onCluster } from './open';

onCluster(describeBounceStore);
