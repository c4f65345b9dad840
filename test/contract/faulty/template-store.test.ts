import { describeTemplateStore } from '../template-store.suite';
import { openWrapped } from './open';

describeTemplateStore(openWrapped);
