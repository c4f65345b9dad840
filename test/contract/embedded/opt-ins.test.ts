import { describeOptIns } from '../opt-ins.suite';
import { openTemporary } from './open';

describeOptIns(openTemporary);
