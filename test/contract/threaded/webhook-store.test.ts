import { describeWebhookStore } from '../webhook-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeWebhookStore(openTemporaryThreaded);
