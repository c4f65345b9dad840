import { describeLeaseStore } from '../lease-store.suite';
import { onCluster } from './open';

onCluster(describeLeaseStore);
