import { describeDomainStore } from '../domain-store.suite';
import { openTemporary } from './open';

describeDomainStore(openTemporary);
