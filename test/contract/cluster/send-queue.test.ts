import { describeSendQueue } from '../send-queue.suite';
import { onCluster } from './open';

onCluster(describeSendQueue);
