import { describeTemplateStore } from '../template-store.suite';
import { openTemporary } from './open';

describeTemplateStore(openTemporary);
