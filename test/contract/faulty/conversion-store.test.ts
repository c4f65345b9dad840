import { describeConversionStore } from '../conversion-store.suite';
import { openWrapped } from './open';

describeConversionStore(openWrapped);
