import { describeWorkspaceStore } from '../workspace-store.suite';
import { onCluster } from './open';

onCluster(describeWorkspaceStore);
