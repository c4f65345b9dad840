import { showAccount } from './endpoints/account/show-account';
import { listEngagement } from './endpoints/contacts/list-engagement';
import { listDomains } from './endpoints/domains/list-domains';
import { listMessages } from './endpoints/messages/list-messages';
import { sendMessage } from './endpoints/messages/send-message';
import { showMessage } from './endpoints/messages/show-message';
import { checkSuppression } from './endpoints/suppressions/check-suppression';
import type { Route } from './route';

/** Every endpoint of the API, in the order of the spec. */
export const routes: readonly Route[] = [
  showAccount,
  listDomains,
  sendMessage,
  showMessage,
  listMessages,
  checkSuppression,
  listEngagement,
];
