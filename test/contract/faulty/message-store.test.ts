import { describeMessageStore } from '../message-store.suite';
import { openWrapped } from './open';

describeMessageStore(openWrapped);
