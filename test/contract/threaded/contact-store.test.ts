import { describeContactStore } from '../contact-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeContactStore(openTemporaryThreaded);
