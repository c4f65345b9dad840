import type { Template } from '../../../domain/templates/template';
import type { Workspace } from '../../../domain/settings/workspace';
import type { ApiDeps } from '../../deps';
import { found, pathId } from '../../path-id';

/** The template in the path; ApiError 404 unless it belongs to the workspace. */
export async function ownTemplate(
  { stores }: ApiDeps,
  { workspace, params }: { workspace: Workspace; params: Readonly<Record<string, string>> },
): Promise<Template> {
  const template = found(await stores.templates.get(pathId(params)));
  return found(template.workspaceId === workspace.id ? template : null);
}
