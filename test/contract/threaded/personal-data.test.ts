import { describePersonalData } from '../personal-data.suite';
import { openTemporaryThreaded } from '../embedded/open';

describePersonalData(openTemporaryThreaded);
