import { showAccount } from './endpoints/account/show-account';
import { createContact } from './endpoints/contacts/create-contact';
import { deleteContact } from './endpoints/contacts/delete-contact';
import { listContacts } from './endpoints/contacts/list-contacts';
import { renameContact } from './endpoints/contacts/rename-contact';
import { showContact } from './endpoints/contacts/show-contact';
import { unsubscribeContact } from './endpoints/contacts/unsubscribe-contact';
import { listDomains } from './endpoints/domains/list-domains';
import { listMessages } from './endpoints/messages/list-messages';
import { sendMessage } from './endpoints/messages/send-message';
import { showMessage } from './endpoints/messages/show-message';
import { checkSuppression } from './endpoints/suppressions/check-suppression';
import type { Route } from './route';

/** Every endpoint of the API, in the order of the spec; of two that match a path, the first is taken. */
export const routes: readonly Route[] = [
  showAccount,
  listDomains,
  sendMessage,
  showMessage,
  listMessages,
  checkSuppression,
  listContacts,
  createContact,
  deleteContact,
  showContact,
  renameContact,
  unsubscribeContact,
];
