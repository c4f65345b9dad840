import { describeWebhookStore } from '../webhook-store.suite';
import { onCluster } from './open';

onCluster(describeWebhookStore);
