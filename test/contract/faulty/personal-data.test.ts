import { describePersonalData } from '../personal-data.suite';
import { openWrapped } from './open';

describePersonalData(openWrapped);
