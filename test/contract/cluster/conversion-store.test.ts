import { describeConversionStore } from '../conversion-store.suite';
import { onCluster } from './open';

onCluster(describeConversionStore);
