import { describeSendQueue } from '../send-queue.suite';
import { openWrapped } from './open';

describeSendQueue(openWrapped);
