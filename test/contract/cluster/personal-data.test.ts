import { describePersonalData } from '../personal-data.suite';
import { onCluster } from './open';

onCluster(describePersonalData);
