import type { ParameterizedContext } from 'koa';
import type { ApiKey, Workspace } from '../domain/workspace';

/** Who is calling, by the Authorization header. */
export type Caller =
  | { kind: 'known'; key: ApiKey; workspace: Workspace }
  | { kind: 'unknown'; code: 'missing_api_key' | 'invalid_api_key' };

/** The operator's switches (setting `switches`). */
export interface Switches {
  /** Off: 503 for every call. */
  api: boolean;
  /** Off: the Email Marketing module is closed for everybody. */
  module: boolean;
}

/** What earlier steps of a request found out for later ones. */
export interface ApiState {
  hostServed: boolean;
  caller: Caller;
  switches: Switches;
}
export type ApiContext = ParameterizedContext<ApiState>;
