import { describeBulkContacts } from '../bulk-contacts.suite';
import { openWrapped } from './open';

describeBulkContacts(openWrapped);
