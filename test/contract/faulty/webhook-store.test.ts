import { describeWebhookStore } from '../webhook-store.suite';
import { openWrapped } from './open';

describeWebhookStore(openWrapped);
