import { describeJourneyPosts } from '../journey-posts.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeJourneyPosts(openTemporaryThreaded);
