import { describeJourneyStore } from '../journey-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeJourneyStore(openTemporaryThreaded);
