import { describeDeliveryStore } from '../delivery-store.suite';
import { openWrapped } from './open';

describeDeliveryStore(openWrapped);
