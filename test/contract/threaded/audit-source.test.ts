import { describeAuditSource } from '../audit-source.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeAuditSource(openTemporaryThreaded);
