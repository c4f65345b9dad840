import { describeDueTasks } from '../due-tasks.suite';
import { openWrapped } from './open';

describeDueTasks(openWrapped);
