import { addMember, createAudience, removeMember } from '../../operations/contacts/change-audience';
import { newContact } from '../../operations/contacts/new-contact';
import { newAudienceRules, newAudienceShape } from '../../schemas/contacts/new-audience';
import { newMemberRules, newMemberShape } from '../../schemas/contacts/new-member';
import { audienceAnswer, presentAudience } from '../../schemas/responses/audience';
import { list } from '../../schemas/responses/closed';
import {
  contactAnswer,
  memberAnswer,
  memberPageAnswer,
  presentContact,
  presentMember,
} from '../../schemas/responses/contact';
import { DELETED, deletedAnswer } from '../../schemas/responses/deleted';
import { pageRules, pageShape } from '../../schemas/rules/page';
import type { PageQuery } from '../../stores/ports/page';
import { ApiError } from '../errors';
import { exampleOf, examplePage } from '../openapi/examples';
import { fieldFault, integerId } from '../openapi/operation';
import { paged } from '../paged';
import { found, pathId } from '../path-id';
import { Answer, resource } from '../route';

const route = resource({ tag: 'Audiences', scope: 'manage_contacts' });
const id = integerId('The audience', 12);

/** Lists of contacts (docs/contract.md#audience). */
export const audiences = [
  route('GET /audiences', {
    id: 'listAudiences',
    summary: 'List audiences',
    description: 'All audiences, on one page.',
    answers: [{ status: 200, description: 'The audiences.', schema: list(audienceAnswer) }],
    handle: async ({ stores }, { workspace }) => (await stores.audiences.list(workspace.id)).map(presentAudience),
  }),

  route('POST /audiences', {
    id: 'createAudience',
    summary: 'Create an audience',
    description: 'New audiences are always `single` opt-in.',
    body: { shape: newAudienceShape, rules: newAudienceRules },
    fields: { name: 'The name of the audience.', description: 'For your own use.' },
    requests: { audience: { name: 'Pelanggan tetap', description: 'Lebih dari tiga pesanan' } },
    answers: [{ status: 201, description: 'The audience.', schema: audienceAnswer }],
    refusals: [fieldFault('name', 'The name field is required.')],
    async handle(deps, { workspace: { id: workspaceId }, fields }) {
      const { name, description = null } = await fields();
      return presentAudience(await createAudience(deps, { workspaceId, name, description, optInMode: 'single' }));
    },
  }),

  route('GET /audiences/:id', {
    id: 'showAudience',
    summary: 'Show an audience',
    description: 'One audience of the workspace.',
    parameters: { id },
    answers: [{ status: 200, description: 'The audience.', schema: audienceAnswer }],
    handle: async ({ stores }, { workspace, params }) =>
      presentAudience(found(await stores.audiences.get(workspace.id, pathId(params)))),
  }),

  route('GET /audiences/:id/contacts', {
    id: 'listMembers',
    summary: 'List the members of an audience',
    description: 'Contacts, 50 per page, and whether each has confirmed (double opt-in).',
    parameters: { id },
    query: { shape: pageShape, rules: pageRules },
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
    async handle(deps, { workspace, params, query: { page } }) {
      const audienceId = pathId(params);
      const read = async (cut: PageQuery) => found(await deps.stores.audiences.members(workspace.id, audienceId, cut));
      return paged(deps, { path: `/audiences/${audienceId}/contacts`, page }, read, presentMember);
    },
  }),

  // A `contact_id` of another account is unknown, like one that does not exist: 404. So is the id of the audience.
  route('POST /audiences/:id/contacts', {
    id: 'addMember',
    summary: 'Add a contact to an audience',
    description:
      'Adds a contact by id, or by email address with the fields of POST /contacts: a missing contact is created. With double opt-in it is pending and receives a confirmation email; adding it again while it is pending sends another one.',
    parameters: { id },
    body: { shape: newMemberShape, rules: newMemberRules },
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
    async handle(deps, { workspace, params, fields }) {
      const audience = { workspaceId: workspace.id, id: pathId(params) };
      const body = await fields();
      const member =
        body.contact_id === undefined ? { contact: newContact(deps, workspace, body) } : { contactId: body.contact_id };
      const outcome = await addMember(deps.stores.audiences, audience, member, deps.clock.now());
      if (!('contact' in outcome)) throw new ApiError('not_found');
      const added = presentContact(outcome.contact);
      return outcome.kind === 'joined' ? added : new Answer(200, added);
    },
  }),

  route('DELETE /audiences/:id/contacts/:contact_id', {
    id: 'removeMember',
    summary: 'Remove a contact from an audience',
    description: 'The contact itself is kept. 404 if it is not a member.',
    parameters: { id, contact_id: integerId('The contact', 1842) },
    answers: [{ status: 200, description: 'Removed.', schema: deletedAnswer }],
    async handle({ stores, clock }, { workspace, params }) {
      const audience = { workspaceId: workspace.id, id: pathId(params) };
      if (await removeMember(stores.audiences, audience, pathId(params, 'contact_id'), clock.now())) return DELETED;
      throw new ApiError('not_found');
    },
  }),
];
