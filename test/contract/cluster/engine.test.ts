import { describeEngine } from '../engine.suite';
import { onWholeCluster } from './open';

onWholeCluster(describeEngine);
