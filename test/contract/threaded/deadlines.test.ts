import { describeDeadlines } from '../deadlines.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeDeadlines(openTemporaryThreaded);
