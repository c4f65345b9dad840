import { describeEngine } from '../engine.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeEngine(openTemporaryThreaded);
