import { describeSuppressionStore } from '../suppression-store.suite';
import { openTemporary } from './open';

describeSuppressionStore(openTemporary);
