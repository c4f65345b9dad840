import { describeEngine } from '../engine.suite';
import { openWrapped } from './open';

describeEngine(openWrapped);
