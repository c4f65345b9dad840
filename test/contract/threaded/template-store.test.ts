import { describeTemplateStore } from '../template-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeTemplateStore(openTemporaryThreaded);
