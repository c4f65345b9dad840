import { describeCredentialStore } from '../credential-store.suite';
import { openTemporary } from './open';

describeCredentialStore(openTemporary);
