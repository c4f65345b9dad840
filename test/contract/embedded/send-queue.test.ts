import { describeSendQueue } from '../send-queue.suite';
import { openTemporary } from './open';

describeSendQueue(openTemporary);
