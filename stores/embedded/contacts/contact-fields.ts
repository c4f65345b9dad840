import type { Contact } from '../../../domain/contacts/contact';
import { ColumnList, columns, textColumn } from '../database/columns';

/** The columns of `contacts`. */
export const CONTACT = new ColumnList<Contact>('contacts', {
  ...columns('id', 'workspaceId', 'email', 'emailHash', 'status', 'subscribedAt', 'unsubscribedAt', 'createdAt'),
  ...columns('updatedAt'),
  name: textColumn('name'),
});
