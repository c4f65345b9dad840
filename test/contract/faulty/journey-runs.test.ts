import { describeJourneyRuns } from '../journey-runs.suite';
import { openWrapped } from './open';

describeJourneyRuns(openWrapped);
