import { describeSendQueue } from '../send-queue.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeSendQueue(openTemporaryThreaded);
