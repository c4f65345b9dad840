import { describeJourneyStore } from '../journey-store.suite';
import { openTemporary } from './open';

describeJourneyStore(openTemporary);
