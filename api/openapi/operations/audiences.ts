import { audienceAnswer, audiencesAnswer } from '../../../schemas/responses/audience';
import { contactAnswer, memberAnswer, memberPageAnswer } from '../../../schemas/responses/contact';
import { deletedAnswer } from '../../../schemas/responses/deleted';
import { exampleOf, examplePage } from '../examples';
import type { ListedOperation } from '../listed-operation';
import { fieldFault, integerId } from '../operation';

const id = integerId('The audience', 12);

const members: readonly ListedOperation[] = [
  {
    method: 'GET',
    path: '/audiences/:id/contacts',
    id: 'listMembers',
    tag: 'Audiences',
    summary: 'List the members of an audience',
    description: 'Contacts, 50 per page, and whether each has confirmed (double opt-in).',
    parameters: { id },
    fields: { page: 'From 1. A page after the last is empty.' },
    answers: [
      {
        status: 200,
        description: 'A page of members.',
        schema: memberPageAnswer,
        examples: { page: examplePage('/audiences/12/contacts', exampleOf(memberAnswer)) },
      },
    ],
    refusals: [fieldFault('page', 'The page field must be at least 1.')],
  },
  {
    method: 'POST',
    path: '/audiences/:id/contacts',
    id: 'addMember',
    tag: 'Audiences',
    summary: 'Add a contact to an audience',
    description:
      'Adds a contact by id, or by address with the fields of POST /contacts: a missing contact is created. With double opt-in it is pending and gets a confirmation mail; adding it again while it is pending asks again.',
    parameters: { id },
    fields: {
      contact_id: 'A contact of the workspace.',
      email: 'Instead of contact_id.',
      name: 'Used for a new contact only.',
      consent: 'Must be true: the contact opted in.',
    },
    requests: {
      'by id': { contact_id: 1842 },
      'by address': { email: 'siti@pelanggan.example', name: 'Siti Rahma', consent: true },
    },
    answers: [
      { status: 201, description: 'Added.', schema: contactAnswer },
      { status: 200, description: 'The contact was already a member.', schema: contactAnswer },
    ],
    refusals: [fieldFault('consent', 'The consent field must be true.')],
  },
  {
    method: 'DELETE',
    path: '/audiences/:id/contacts/:contact_id',
    id: 'removeMember',
    tag: 'Audiences',
    summary: 'Remove a contact from an audience',
    description: 'The contact itself stays. 404 when it is not a member.',
    parameters: { id, contact_id: integerId('The contact', 1842) },
    answers: [{ status: 200, description: 'Removed.', schema: deletedAnswer }],
  },
];

export const audienceOperations: readonly ListedOperation[] = [
  {
    method: 'GET',
    path: '/audiences',
    id: 'listAudiences',
    tag: 'Audiences',
    summary: 'List audiences',
    description: 'All audiences, on one page.',
    answers: [{ status: 200, description: 'The audiences.', schema: audiencesAnswer }],
  },
  {
    method: 'POST',
    path: '/audiences',
    id: 'createAudience',
    tag: 'Audiences',
    summary: 'Create an audience',
    description: 'New audiences are always `single` opt-in.',
    fields: { name: 'The name of the audience.', description: 'For your own use.' },
    requests: { audience: { name: 'Pelanggan tetap', description: 'Lebih dari tiga pesanan' } },
    answers: [{ status: 201, description: 'The audience.', schema: audienceAnswer }],
    refusals: [fieldFault('name', 'The name field is required.')],
  },
  {
    method: 'GET',
    path: '/audiences/:id',
    id: 'showAudience',
    tag: 'Audiences',
    summary: 'Show an audience',
    description: 'One audience of the workspace.',
    parameters: { id },
    answers: [{ status: 200, description: 'The audience.', schema: audienceAnswer }],
  },
  ...members,
];
