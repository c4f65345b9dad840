import { describeDeadlines } from '../deadlines.suite';
import { openTemporary } from './open';

describeDeadlines(openTemporary);
