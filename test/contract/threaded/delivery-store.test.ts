import { describeDeliveryStore } from '../delivery-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeDeliveryStore(openTemporaryThreaded);
