import { describeJourneyPosts } from '../journey-posts.suite';
import { openWrapped } from './open';

describeJourneyPosts(openWrapped);
