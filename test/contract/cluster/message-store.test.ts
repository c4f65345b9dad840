import { describeMessageStore } from '../message-store.suite';
import { onCluster } from './open';

onCluster(describeMessageStore);
