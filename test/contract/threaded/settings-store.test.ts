import { describeSettingsStore } from '../settings-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeSettingsStore(openTemporaryThreaded);
