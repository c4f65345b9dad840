import { describeJourneyRuns } from '../journey-runs.suite';
import { onCluster } from './open';

onCluster(describeJourneyRuns);
