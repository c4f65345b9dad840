import { describeEngagementStore } from '../engagement-store.suite';
import { openWrapped } from './open';

describeEngagementStore(openWrapped);
