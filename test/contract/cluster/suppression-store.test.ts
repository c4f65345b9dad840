import { describeSuppressionStore } from '../suppression-store.suite';
import { onCluster } from './open';

onCluster(describeSuppressionStore);
