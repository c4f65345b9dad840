import { describeJourneyStore } from '../journey-store.suite';
import { openWrapped } from './open';

describeJourneyStore(openWrapped);
