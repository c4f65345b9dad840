import { describeOptIns } from '../opt-ins.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeOptIns(openTemporaryThreaded);
