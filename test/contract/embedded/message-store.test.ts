import { describeMessageStore } from '../message-store.suite';
import { openTemporary } from './open';

describeMessageStore(openTemporary);
