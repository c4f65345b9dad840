import { ApiError } from '../../errors';
import { pathId } from '../../path-id';
import { route } from '../../route';

/** DELETE /webhooks/{id}: 404 unless the webhook belongs to the workspace. */
export const deleteWebhook = route({
  method: 'DELETE',
  path: '/webhooks/:id',
  scope: 'manage_webhooks',
  emailModule: 'required',
  async handle({ stores }, { workspace, params }) {
    const id = pathId(params);
    const deleted = await stores.webhooks.delete(workspace.id, id);
    if (!deleted) throw new ApiError('not_found');
    await stores.deliveries.cancelWaiting(id);
    return { status: 200, body: { deleted: true } };
  },
});
