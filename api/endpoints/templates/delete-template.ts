import { ApiError } from '../../errors';
import { pathId } from '../../path-id';
import { route } from '../../route';

/** DELETE /templates/{id}: 404 unless it belongs to the workspace. Messages keep what they were composed from. */
export const deleteTemplate = route({
  method: 'DELETE',
  path: '/templates/:id',
  scope: 'send_email',
  emailModule: 'required',
  async handle({ stores }, { workspace, params }) {
    if (!(await stores.templates.delete(workspace.id, pathId(params)))) throw new ApiError('not_found');
    return { status: 200, body: { deleted: true } };
  },
});
