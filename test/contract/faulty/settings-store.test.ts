import { describeSettingsStore } from '../settings-store.suite';
import { openWrapped } from './open';

describeSettingsStore(openWrapped);
