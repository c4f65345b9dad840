import type { Webhook } from '../../../domain/webhooks/webhook';
import type { Workspace } from '../../../domain/settings/workspace';
import type { ApiDeps } from '../../deps';
import { ApiError } from '../../errors';
import { found, pathId } from '../../path-id';

interface WebhookCall {
  workspace: Workspace;
  params: Readonly<Record<string, string>>;
}

/** The webhook in the path; ApiError 404 unless it belongs to the workspace. */
export async function ownWebhook({ stores }: ApiDeps, { workspace, params }: WebhookCall): Promise<Webhook> {
  const webhook = found(await stores.webhooks.get(pathId(params)));
  return found(webhook.workspaceId === workspace.id ? webhook : null);
}

/** The same for what only an active webhook can do; ApiError 409 when it is not. */
export async function activeWebhook(deps: ApiDeps, call: WebhookCall): Promise<Webhook> {
  const webhook = await ownWebhook(deps, call);
  if (!webhook.isActive) throw new ApiError('webhook_inactive');
  return webhook;
}
