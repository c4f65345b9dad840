import { describeEngine } from '../engine.suite';
import { openTemporary } from './open';

describeEngine(openTemporary);
