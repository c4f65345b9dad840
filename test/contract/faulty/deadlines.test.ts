import { describeDeadlines } from '../deadlines.suite';
import { openWrapped } from './open';

describeDeadlines(openWrapped);
