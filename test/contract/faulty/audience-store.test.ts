import { describeAudienceStore } from '../audience-store.suite';
import { openWrapped } from './open';

describeAudienceStore(openWrapped);
