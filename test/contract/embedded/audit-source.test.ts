import { describeAuditSource } from '../audit-source.suite';
import { openTemporary } from './open';

describeAuditSource(openTemporary);
