import { describeLeaseStore } from '../lease-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeLeaseStore(openTemporaryThreaded);
