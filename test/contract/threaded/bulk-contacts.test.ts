import { describeBulkContacts } from '../bulk-contacts.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeBulkContacts(openTemporaryThreaded);
