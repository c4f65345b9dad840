import { texts } from '../../domain/texts';
import type { ApiKey, Workspace } from '../../domain/settings/workspace';
import { ApiError } from '../errors';
import type { Route } from '../route';
import type { ApiState } from '../state';

interface Authorized {
  key: ApiKey;
  workspace: Workspace;
  moduleOpen: boolean;
}

/**
 * Raises the four 403 errors of docs/contract.md#authentication-failures, in their order: suspended, scope, module
 * inactive, module closed.
 */
export function authorize(
  { scope, emailModule }: Pick<Route, 'scope' | 'emailModule'>,
  { caller, switches }: ApiState,
  appUrl: string,
): Authorized {
  if (caller.kind === 'unknown') throw new ApiError(caller.code);
  const { key, workspace } = caller;
  if (workspace.suspended) throw new ApiError('workspace_suspended');
  if (scope !== 'any' && !key.scopes.includes(scope)) {
    throw new ApiError('missing_scope', { text: texts.missingScope(scope) });
  }
  if (emailModule === 'required' && !workspace.emailModule) {
    throw new ApiError('module_inactive', { text: texts.moduleInactive(appUrl) });
  }
  if (emailModule === 'required' && !switches.module) throw new ApiError('module_closed');
  return { key, workspace, moduleOpen: workspace.emailModule && switches.module };
}
