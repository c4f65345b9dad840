import { describeDeadlines } from '../deadlines.suite';
import { onCluster } from './open';

onCluster(describeDeadlines);
