import { pageRules, pageShape } from '../../../schemas/rules/page';
import { presentContact } from '../../../schemas/responses/present-contact';
import { pageOffset, PER_PAGE, presentPage } from '../../../schemas/responses/page';
import { API_PREFIX, route } from '../../route';

const PATH = '/contacts';

/** GET /contacts: all contacts of the workspace, ordered by id, in pages (docs/contract.md#list-of-contacts). */
export const listContacts = route({
  method: 'GET',
  path: PATH,
  scope: 'manage_contacts',
  emailModule: 'required',
  query: { shape: pageShape, rules: pageRules },
  async handle({ stores, publicUrl }, { workspace, query: { page = 1 } }) {
    const { total, items } = await stores.contacts.list(workspace.id, { offset: pageOffset(page), limit: PER_PAGE });
    const path = `${publicUrl()}${API_PREFIX}${PATH}`;
    return { status: 200, body: presentPage({ path, filters: {}, page, total, items: items.map(presentContact) }) };
  },
});
