import type { CONTACT } from '../../operations/contacts/contact';
import type { AnswerOf, RowOf } from '../../operations/definition';
import type { Html } from '../kit/html';
import { stateTag, tag } from '../kit/components';
import type { Texts } from '../texts/texts';

export type Row = RowOf<typeof CONTACT.list>;
export type Listed = AnswerOf<typeof CONTACT.list>;
export type Shown = AnswerOf<typeof CONTACT.show>;

/** The status of a contact in its colour. */
export const statusTag = (t: Texts, status: string): Html =>
  stateTag(t, status, status === 'subscribed' ? 'good' : status.endsWith('subscribed') ? 'warn' : 'bad');

/** Whether a membership is confirmed, in words and colour. */
export const membershipTag = (t: Texts, membership: string): Html =>
  membership === 'confirmed' ? tag(t.contactsConfirmed, 'good') : tag(t.contactsPending, 'warn');
