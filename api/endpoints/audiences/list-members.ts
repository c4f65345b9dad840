import { pageRules, pageShape } from '../../../schemas/rules/page';
import { found, pathId } from '../../path-id';
import { presentMember } from '../../../schemas/responses/present-contact';
import { pageOffset, PER_PAGE, presentPage } from '../../../schemas/responses/page';
import { API_PREFIX, route } from '../../route';

/** GET /audiences/{id}/contacts: its members in pages, ordered by id (docs/contract.md#members-of-an-audience). */
export const listMembers = route({
  method: 'GET',
  path: '/audiences/:id/contacts',
  scope: 'manage_contacts',
  emailModule: 'required',
  query: { shape: pageShape, rules: pageRules },
  async handle({ stores, publicUrl }, { workspace, params, query: { page = 1 } }) {
    const id = pathId(params);
    const cut = { offset: pageOffset(page), limit: PER_PAGE };
    const { total, items } = found(await stores.audiences.members(workspace.id, id, cut));
    return {
      status: 200,
      body: presentPage({
        path: `${publicUrl()}${API_PREFIX}/audiences/${id}/contacts`,
        filters: {},
        page,
        total,
        items: items.map(presentMember),
      }),
    };
  },
});
