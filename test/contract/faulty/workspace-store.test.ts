import { describeWorkspaceStore } from '../workspace-store.suite';
import { openWrapped } from './open';

describeWorkspaceStore(openWrapped);
