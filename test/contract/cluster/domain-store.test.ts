import { describeDomainStore } from '../domain-store.suite';
import { onCluster } from './open';

onCluster(describeDomainStore);
