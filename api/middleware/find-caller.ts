import type { ApiDeps } from '../deps';
import type { Caller } from '../state';

const BEARER = /^bearer +(\S+)$/i;
const MISSING: Caller = { kind: 'unknown', code: 'missing_api_key' };
const INVALID: Caller = { kind: 'unknown', code: 'invalid_api_key' };

interface FindCallerDeps {
  keyring: ApiDeps['keyring'];
  stores: Pick<ApiDeps['stores'], 'credentials' | 'workspaces'>;
}

/**
 * Finds the owner of the key in an Authorization header (docs/contract.md#api-keys). It refuses nothing: an unknown
 * caller is refused later, after the rate limit counted it.
 */
export async function findCaller(
  { keyring, stores }: FindCallerDeps,
  authorization: string | undefined,
): Promise<Caller> {
  if (!authorization) return MISSING;
  const token = BEARER.exec(authorization)?.[1];
  if (!token) return INVALID;
  const key = await stores.credentials.findKey(keyring.hashCredential(token));
  if (!key || key.revokedAt !== null) return INVALID;
  const workspace = await stores.workspaces.get(key.workspaceId);
  return workspace ? { kind: 'known', key, workspace } : INVALID;
}
