import { describeWebhookStore } from '../webhook-store.suite';
import { openTemporary } from './open';

describeWebhookStore(openTemporary);
