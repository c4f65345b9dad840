import { describeContactStore } from '../contact-store.suite';
import { onCluster } from './open';

onCluster(describeContactStore);
