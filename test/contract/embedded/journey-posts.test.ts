import { describeJourneyPosts } from '../journey-posts.suite';
import { openTemporary } from './open';

describeJourneyPosts(openTemporary);
