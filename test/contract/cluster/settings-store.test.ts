import { describeSettingsStore } from '../settings-store.suite';
import { onCluster } from './open';

onCluster(describeSettingsStore);
