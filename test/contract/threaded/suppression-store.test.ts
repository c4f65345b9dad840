import { describeSuppressionStore } from '../suppression-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeSuppressionStore(openTemporaryThreaded);
