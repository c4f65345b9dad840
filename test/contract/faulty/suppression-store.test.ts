import { describeSuppressionStore } from '../suppression-store.suite';
import { openWrapped } from './open';

describeSuppressionStore(openWrapped);
