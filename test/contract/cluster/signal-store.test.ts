import { describeSignalStore } from '../signal-store.suite';
import { onCluster } from './open';

onCluster(describeSignalStore);
