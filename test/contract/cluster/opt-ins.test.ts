import { describeOptIns } from '../opt-ins.suite';
import { onCluster } from './open';

onCluster(describeOptIns);
