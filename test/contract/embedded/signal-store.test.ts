import { describeSignalStore } from '../signal-store.suite';
import { openTemporary } from './open';

describeSignalStore(openTemporary);
