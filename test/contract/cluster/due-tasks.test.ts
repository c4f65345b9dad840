import { describeDueTasks } from '../due-tasks.suite';
import { onCluster } from './open';

onCluster(describeDueTasks);
