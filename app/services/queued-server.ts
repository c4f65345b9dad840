import { LRUCache } from 'lru-cache';
import type { Lane } from '../../domain/messages/message';
import { serverOf } from '../../domain/sending/server-routes';
import type { Stores } from '../../stores/ports';
import type { Config } from '../../operations/config/config';

/** Names of sending domains that are kept; they never change. */
const KEPT = 10_000;

/** Over which server queued mail will go; null: the first. Undefined where there is one. */
export function queuedServer(
  { mtaServers, mtaRoutes }: Pick<Config, 'mtaServers' | 'mtaRoutes'>,
  domains: Pick<Stores['domains'], 'get'>,
): ((mail: { workspaceId: number; domainId: number; lane: Lane }) => Promise<string | null>) | undefined {
  const [first, ...more] = mtaServers;
  if (!first || more.length === 0) return undefined;
  const names = new LRUCache<number, string>({ max: KEPT });
  const nameOf = async (id: number): Promise<string> => {
    const name = names.get(id) ?? (await domains.get(id))?.domain ?? '';
    if (name !== '') names.set(id, name);
    return name;
  };
  const byDomain = mtaRoutes.some(({ of }) => of === 'domain');
  return async ({ workspaceId, domainId, lane }) => {
    const domain = byDomain ? await nameOf(domainId) : '';
    const server = serverOf(mtaRoutes, { workspaceId, domain, lane });
    return server === first.name ? null : server;
  };
}
