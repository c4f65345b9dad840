import { describeWorkspaceStore } from '../workspace-store.suite';
import { openTemporary } from './open';

describeWorkspaceStore(openTemporary);
