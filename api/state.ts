import type { ParameterizedContext } from 'koa';
import type { Switches } from '../operations/installation/switches';
import type { ApiKey, Workspace } from '../domain/settings/workspace';

/** The caller, from the Authorization header. */
export type Caller =
  | { kind: 'known'; key: ApiKey; workspace: Workspace }
  | { kind: 'unknown'; code: 'missing_api_key' | 'invalid_api_key' };

/** Results of earlier steps of a request, for later ones. */
export interface ApiState {
  /** Also in `X-Request-Id` of the answer. */
  requestId: string;
  hostServed: boolean;
  caller: Caller;
  switches: Switches;
}
export type ApiContext = ParameterizedContext<ApiState>;
