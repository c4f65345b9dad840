import { describeMessageStore } from '../message-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeMessageStore(openTemporaryThreaded);
