import { describeEngagementStore } from '../engagement-store.suite';
import { openTemporary } from './open';

describeEngagementStore(openTemporary);
