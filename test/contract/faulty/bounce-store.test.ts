import { describeBounceStore } from '../bounce-store.suite';
import { openWrapped } from './open';

describeBounceStore(openWrapped);
