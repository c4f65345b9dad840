import { describeDueTasks } from '../due-tasks.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeDueTasks(openTemporaryThreaded);
