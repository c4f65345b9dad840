import { describeCredentialStore } from '../credential-store.suite';
import { openTemporaryThreaded } from '../embedded/open';

describeCredentialStore(openTemporaryThreaded);
