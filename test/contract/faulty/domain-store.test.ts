import { describeDomainStore } from '../domain-store.suite';
import { openWrapped } from './open';

describeDomainStore(openWrapped);
