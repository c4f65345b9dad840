import type { Contact } from '../../../domain/contacts/contact';
import { column, ColumnList, textColumn } from '../database/columns';

/** The columns of `contacts`. */
export const CONTACT = new ColumnList<Contact>({
  id: column('id'),
  workspaceId: column('workspace_id'),
  email: column('email'),
  emailHash: column('email_hash'),
  name: textColumn('name'),
  status: column('status'),
  subscribedAt: column('subscribed_at'),
  unsubscribedAt: column('unsubscribed_at'),
  createdAt: column('created_at'),
  updatedAt: column('updated_at'),
});
