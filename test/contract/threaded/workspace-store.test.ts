import { describeWorkspaceStore } from '../workspace-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeWorkspaceStore(openTemporaryThreaded);
