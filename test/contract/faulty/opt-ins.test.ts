import { describeOptIns } from '../opt-ins.suite';
import { openWrapped } from './open';

describeOptIns(openWrapped);
