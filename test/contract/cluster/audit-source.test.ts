import { describeAuditSource } from '../audit-source.suite';
import { onWholeCluster } from './open';

onWholeCluster(describeAuditSource);
