import { describeBulkContacts } from '../bulk-contacts.suite';
import { onCluster } from './open';

onCluster(describeBulkContacts);
