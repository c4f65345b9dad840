import type { ApiDeps } from '../api/deps';

/** What accepting a message takes; both doors, REST and SMTP, hand it in. */
export interface AcceptDeps extends Pick<ApiDeps, 'log' | 'keyring' | 'clock' | 'newId'> {
  stores: Pick<ApiDeps['stores'], 'domains' | 'messages'>;
}
