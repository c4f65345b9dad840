import { describeAudienceStore } from '../audience-store.suite';
import { openTemporary } from './open';

describeAudienceStore(openTemporary);
