import { describeJourneyRuns } from '../journey-runs.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeJourneyRuns(openTemporaryThreaded);
