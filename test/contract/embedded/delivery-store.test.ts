import { describeDeliveryStore } from '../delivery-store.suite';
import { openTemporary } from './open';

describeDeliveryStore(openTemporary);
