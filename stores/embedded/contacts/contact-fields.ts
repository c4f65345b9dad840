import { CONTACT_FIELDS, type Contact } from '../../../domain/contacts/contact';
import { ColumnList, declaredColumns } from '../database/columns';

/** The columns of `contacts`. */
export const CONTACT = new ColumnList<Contact>('contacts', declaredColumns(CONTACT_FIELDS));
