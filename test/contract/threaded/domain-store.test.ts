import { describeDomainStore } from '../domain-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeDomainStore(openTemporaryThreaded);
