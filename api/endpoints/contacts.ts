import { periodStart } from '../../domain/engagement/engagement';
import type { Workspace } from '../../domain/settings/workspace';
import { addContact, deleteContact, renameContact, unsubscribeContact } from '../../operations/contacts/change-contact';
import { newContact } from '../../operations/contacts/new-contact';
import { newContactRules, newContactShape } from '../../schemas/contacts/new-contact';
import { renameContactRules, renameContactShape } from '../../schemas/contacts/rename-contact';
import { engagementRules, engagementShape } from '../../schemas/engagement/list-engagement';
import { contactAnswer, contactPageAnswer, presentContact } from '../../schemas/responses/contact';
import { DELETED, deletedAnswer } from '../../schemas/responses/deleted';
import { engagementAnswer, presentEngagement } from '../../schemas/responses/engagement';
import { pageOffset, PER_PAGE } from '../../schemas/responses/page';
import { readIntegerId } from '../../schemas/rules/ids';
import { pageRules, pageShape } from '../../schemas/rules/page';
import type { ApiDeps } from '../deps';
import { ApiError } from '../errors';
import { exampleOf, examplePage } from '../openapi/examples';
import { fieldFault, integerId } from '../openapi/operation';
import { paged } from '../paged';
import { found, pathId } from '../path-id';
import { resource } from '../route';

const route = resource({ tag: 'Contacts', scope: 'manage_contacts' });
const id = integerId('The contact', 1842);
const contact = exampleOf(contactAnswer);
/** The period of engagement that is looked at by default, days. */
const DAYS = 90;

/** The contact in the path; ApiError 404 when the workspace has none of that id. */
const ownContact = async ({ stores }: ApiDeps, workspace: Workspace, params: { id: string }) =>
  found(await stores.contacts.get(workspace.id, pathId(params)));

/** The id of an audience of the workspace, or null if none was requested; ApiError 404. */
async function ownAudience({ stores }: ApiDeps, workspace: Workspace, requested: unknown): Promise<number | null> {
  if (requested === undefined) return null;
  const audienceId = typeof requested === 'string' ? readIntegerId(requested) : null;
  if (audienceId === null) throw new ApiError('not_found');
  return found(await stores.audiences.get(workspace.id, audienceId)).id;
}

/** The people a workspace writes to (docs/contract.md#contact). */
export const contacts = [
  route('GET /contacts', {
    id: 'listContacts',
    summary: 'List contacts',
    description: 'Ordered by id, 50 per page.',
    query: { shape: pageShape, rules: pageRules },
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
    handle: (deps, { workspace, query: { page } }) =>
      paged(deps, { path: '/contacts', page }, (cut) => deps.stores.contacts.list(workspace.id, cut), presentContact),
  }),

  route('POST /contacts', {
    id: 'createContact',
    summary: 'Create a contact',
    description:
      'Always 201. If the email exists, the existing contact is returned unchanged, whatever its status. The contact is not added to an audience.',
    body: { shape: newContactShape, rules: newContactRules },
    fields: {
      email: 'The email address of the contact.',
      name: 'The name of the contact.',
      consent: 'Must be true: the contact opted in.',
    },
    requests: { contact: { email: 'siti@pelanggan.example', name: 'Siti Rahma', consent: true } },
    answers: [{ status: 201, description: 'The contact.', schema: contactAnswer }],
    refusals: [
      fieldFault('email', 'The email field must be a valid email address.'),
      fieldFault('consent', 'The consent field must be true.'),
    ],
    async handle(deps, { workspace, fields }) {
      const added = await addContact(deps, newContact(deps, workspace, await fields()), { source: 'api', by: null });
      return presentContact(found(added));
    },
  }),

  route('DELETE /contacts/:id', {
    id: 'deleteContact',
    summary: 'Delete a contact',
    description:
      'Permanent; the history of its messages is anonymized. The address is not suppressed: sending to it ' +
      'again creates a subscribed contact.',
    parameters: { id },
    answers: [{ status: 200, description: 'Deleted.', schema: deletedAnswer }],
    async handle(deps, { workspace, params }) {
      const { stores } = deps;
      if (await deleteContact({ stores }, await ownContact(deps, workspace, params))) return DELETED;
      throw new ApiError('not_found');
    },
  }),

  route('GET /contacts/engagement', {
    id: 'listEngagement',
    summary: 'List the most active contacts',
    description:
      'Counted per unique email. Order for `opens`: emails opened, then clicked, then total clicks. For `clicks`: emails ' +
      'clicked, total clicks, then opened. Only emails accepted by the sending server count as received. Contacts without an open or ' +
      'click in the period are left out. A click counts as an open.',
    query: { shape: engagementShape, rules: engagementRules },
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
    async handle(deps, { workspace, query }) {
      const { by = 'opens', days = DAYS, per_page: limit = PER_PAGE, page = 1 } = query;
      const audienceId = await ownAudience(deps, workspace, query.audience_id);
      const offset = pageOffset(page, limit);
      const wanted = { by, since: periodStart(deps.clock.now(), days), audienceId, offset, limit };
      const { total, items } = await deps.stores.engagement.top(workspace.id, wanted);
      const last = Math.max(1, Math.ceil(total / limit));
      const meta = { by, days, audience_id: audienceId, current_page: page, last_page: last, per_page: limit, total };
      return { data: items.map((item, n) => presentEngagement(item, offset + n + 1)), meta };
    },
  }),

  route('GET /contacts/:id', {
    id: 'showContact',
    summary: 'Show a contact',
    description: 'One contact of the workspace.',
    parameters: { id },
    answers: [{ status: 200, description: 'The contact.', schema: contactAnswer }],
    handle: async (deps, { workspace, params }) => presentContact(await ownContact(deps, workspace, params)),
  }),

  route('PATCH /contacts/:id', {
    id: 'renameContact',
    summary: 'Rename a contact',
    description: 'Changes only the name. `null` clears it; a missing or empty name changes nothing.',
    parameters: { id },
    body: { shape: renameContactShape, rules: renameContactRules },
    fields: { name: 'The new name; null clears it.' },
    requests: { name: { name: 'Siti Rahma' }, 'no name': { name: null } },
    answers: [{ status: 200, description: 'The contact.', schema: contactAnswer }],
    refusals: [fieldFault('name', 'The name field must not be greater than 255 characters.')],
    async handle(deps, { workspace, params, fields }) {
      const { name } = await fields();
      const before = await ownContact(deps, workspace, params);
      return presentContact(name === undefined ? before : found(await renameContact(deps, before, name)));
    },
  }),

  // It creates no event: that one is for the link in an email (docs/contract.md#unsubscribe-a-contact).
  route('POST /contacts/:id/unsubscribe', {
    id: 'unsubscribeContact',
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
    async handle(deps, { workspace, params }) {
      const before = await ownContact(deps, workspace, params);
      return presentContact(found(await unsubscribeContact(deps.stores.contacts, before, deps.clock.now())));
    },
  }),
];
