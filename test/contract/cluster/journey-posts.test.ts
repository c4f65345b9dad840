import { describeJourneyPosts } from '../journey-posts.suite';
import { onCluster } from './open';

onCluster(describeJourneyPosts);
