import { describeConversionStore } from '../conversion-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeConversionStore(openTemporaryThreaded);
