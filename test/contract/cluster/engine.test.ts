import { describeEngine } from '../engine.suite';
import { onCluster } from './open';

onCluster(describeEngine);
