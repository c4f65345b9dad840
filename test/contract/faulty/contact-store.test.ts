import { describeContactStore } from '../contact-store.suite';
import { openWrapped } from './open';

describeContactStore(openWrapped);
