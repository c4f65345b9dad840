import { describePersonalData } from '../personal-data.suite';
import { openTemporary } from './open';

describePersonalData(openTemporary);
