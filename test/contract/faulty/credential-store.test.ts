import { describeCredentialStore } from '../credential-store.suite';
import { openWrapped } from './open';

describeCredentialStore(openWrapped);
