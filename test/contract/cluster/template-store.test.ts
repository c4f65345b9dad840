import { describeTemplateStore } from '../template-store.suite';
import { onCluster } from './open';

onCluster(describeTemplateStore);
