import { describeConversionStore } from '../conversion-store.suite';
import { openTemporary } from './open';

describeConversionStore(openTemporary);
