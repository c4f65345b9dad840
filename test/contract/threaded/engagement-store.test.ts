import { describeEngagementStore } from '../engagement-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeEngagementStore(openTemporaryThreaded);
