import { describeDueTasks } from '../due-tasks.suite';
import { openTemporary } from './open';

describeDueTasks(openTemporary);
