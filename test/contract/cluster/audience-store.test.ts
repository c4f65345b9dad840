import { describeAudienceStore } from '../audience-store.suite';
import { onCluster } from './open';

onCluster(describeAudienceStore);
