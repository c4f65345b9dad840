import { describeCredentialStore } from '../credential-store.suite';
import { onCluster } from './open';

onCluster(describeCredentialStore);
