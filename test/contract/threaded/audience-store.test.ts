import { describeAudienceStore } from '../audience-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeAudienceStore(openTemporaryThreaded);
