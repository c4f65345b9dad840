import { describeLeaseStore } from '../lease-store.suite';
import { openTemporary } from './open';

describeLeaseStore(openTemporary);
