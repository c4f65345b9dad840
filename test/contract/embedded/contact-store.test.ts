import { describeContactStore } from '../contact-store.suite';
import { openTemporary } from './open';

describeContactStore(openTemporary);
