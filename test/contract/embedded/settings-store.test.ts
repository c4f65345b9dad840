import { describeSettingsStore } from '../settings-store.suite';
import { openTemporary } from './open';

describeSettingsStore(openTemporary);
