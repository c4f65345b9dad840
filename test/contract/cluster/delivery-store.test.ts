import { describeDeliveryStore } from '../delivery-store.suite';
import { onCluster } from './open';

onCluster(describeDeliveryStore);
