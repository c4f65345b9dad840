import { describeLeaseStore } from '../lease-store.suite';
import { openWrapped } from './open';

describeLeaseStore(openWrapped);
