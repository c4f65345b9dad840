import { describeBounceStore } from '../bounce-store.suite';
import { openTemporary } from './open';

describeBounceStore(openTemporary);
