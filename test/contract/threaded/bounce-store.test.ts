import { describeBounceStore } from '../bounce-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeBounceStore(openTemporaryThreaded);
