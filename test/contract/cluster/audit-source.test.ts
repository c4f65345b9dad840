import { describeAuditSource } from '../audit-source.suite';
import { onCluster } from './open';

onCluster(describeAuditSource);
