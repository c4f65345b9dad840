import { describeSignalStore } from '../signal-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeSignalStore(openTemporaryThreaded);
