import { contactAnswer, contactPageAnswer } from '../../../schemas/responses/contact';
import { deletedAnswer } from '../../../schemas/responses/deleted';
import { engagementAnswer } from '../../../schemas/responses/engagement';
import { exampleOf, examplePage } from '../examples';
import type { ListedOperation } from '../listed-operation';
import { fieldFault, integerId } from '../operation';

const id = integerId('The contact', 1842);
const contact = exampleOf(contactAnswer);
const CONSENT = 'The consent field must be true.';

const engagement: ListedOperation = {
  method: 'GET',
  path: '/contacts/engagement',
  id: 'listEngagement',
  tag: 'Contacts',
  summary: 'List the most active contacts',
  description:
    'Counted per unique email. Order for `opens`: emails opened, then clicked, then total clicks. For `clicks`: emails ' +
    'clicked, total clicks, then opened. Only emails handed to the sending server count as received. Contacts without an open or ' +
    'click in the period are left out. A click counts as an open.',
  fields: {
    by: 'The ranking. Default: opens.',
    days: 'The period, 1 to 3650; 0 = all time. Default: 90.',
    audience_id: 'Only members of this audience; 404 if it is not owned.',
    per_page: 'At most 200. Default: 50.',
    page: 'From 1. A page after the last is empty.',
  },
  answers: [
    {
      status: 200,
      description: 'A page of contacts.',
      schema: engagementAnswer,
      examples: {
        page: {
          data: [exampleOf(engagementAnswer, 'data')],
          meta: { by: 'opens', days: 90, audience_id: null, current_page: 1, last_page: 1, per_page: 50, total: 1 },
        },
      },
    },
  ],
  refusals: [
    fieldFault('by', 'The by field must be one of opens, clicks.'),
    fieldFault('page', 'The page field must be at least 1.'),
  ],
};

export const contactOperations: readonly ListedOperation[] = [
  {
    method: 'GET',
    path: '/contacts',
    id: 'listContacts',
    tag: 'Contacts',
    summary: 'List contacts',
    description: 'Ordered by id, 50 per page.',
    fields: { page: 'From 1. A page after the last is empty.' },
    answers: [
      {
        status: 200,
        description: 'A page of contacts.',
        schema: contactPageAnswer,
        examples: { page: examplePage('/contacts', contact) },
      },
    ],
    refusals: [fieldFault('page', 'The page field must be at least 1.')],
  },
  {
    method: 'POST',
    path: '/contacts',
    id: 'createContact',
    tag: 'Contacts',
    summary: 'Create a contact',
    description:
      'Always 201. If the email exists, the old contact is returned unchanged, whatever its status. The contact joins no audience.',
    fields: {
      email: 'The address of the contact.',
      name: 'The name of the contact.',
      consent: 'Must be true: the contact opted in.',
    },
    requests: { contact: { email: 'siti@pelanggan.example', name: 'Siti Rahma', consent: true } },
    answers: [{ status: 201, description: 'The contact.', schema: contactAnswer }],
    refusals: [fieldFault('email', 'The email field must be a valid email address.'), fieldFault('consent', CONSENT)],
  },
  {
    method: 'GET',
    path: '/contacts/:id',
    id: 'showContact',
    tag: 'Contacts',
    summary: 'Show a contact',
    description: 'One contact of the workspace.',
    parameters: { id },
    answers: [{ status: 200, description: 'The contact.', schema: contactAnswer }],
  },
  {
    method: 'PATCH',
    path: '/contacts/:id',
    id: 'renameContact',
    tag: 'Contacts',
    summary: 'Rename a contact',
    description: 'Changes only the name. `null` clears it; without a name, or with an empty one, nothing changes.',
    parameters: { id },
    fields: { name: 'The new name; null clears it.' },
    requests: { name: { name: 'Siti Rahma' }, 'no name': { name: null } },
    answers: [{ status: 200, description: 'The contact.', schema: contactAnswer }],
    refusals: [fieldFault('name', 'The name field must not be greater than 255 characters.')],
  },
  {
    method: 'POST',
    path: '/contacts/:id/unsubscribe',
    id: 'unsubscribeContact',
    tag: 'Contacts',
    summary: 'Unsubscribe a contact',
    description: 'Repeating it changes nothing.',
    parameters: { id },
    answers: [
      {
        status: 200,
        description: 'The contact.',
        schema: contactAnswer,
        examples: {
          unsubscribed: { ...contact, status: 'unsubscribed', unsubscribed_at: '2026-09-23T08:00:00.000000Z' },
        },
      },
    ],
  },
  {
    method: 'DELETE',
    path: '/contacts/:id',
    id: 'deleteContact',
    tag: 'Contacts',
    summary: 'Delete a contact',
    description:
      'Permanently; the history of its messages is anonymised. The address does not go on the suppression list: sending to it ' +
      'again creates a subscribed contact.',
    parameters: { id },
    answers: [{ status: 200, description: 'Deleted.', schema: deletedAnswer }],
  },
  engagement,
];
