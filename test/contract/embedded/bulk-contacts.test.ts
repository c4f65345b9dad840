import { describeBulkContacts } from '../bulk-contacts.suite';
import { openTemporary } from './open';

describeBulkContacts(openTemporary);
