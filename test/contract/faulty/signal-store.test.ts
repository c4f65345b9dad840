import { describeSignalStore } from '../signal-store.suite';
import { openWrapped } from './open';

describeSignalStore(openWrapped);
