import { describeJourneyRuns } from '../journey-runs.suite';
import { openTemporary } from './open';

describeJourneyRuns(openTemporary);
