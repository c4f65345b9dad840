import { describeJourneyStore } from '../journey-store.suite';
import { onCluster } from './open';

onCluster(describeJourneyStore);
