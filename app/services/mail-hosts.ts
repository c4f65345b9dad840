import { promises as dns } from 'node:dns';

/** Time limit of one answer, ms, and tries per server. */
const TIMEOUT = 3_000;
const TRIES = 2;
/** The resolver's codes for a name or type that does not exist. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Looks up the hosts of a domain's MX records, the preferred first; empty when it has none. `servers` replace those of
 * the system. Rejects when the DNS does not answer.
 */
export const mailHosts =
  (servers: readonly string[]) =>
  async (domain: string): Promise<string[]> => {
    // A resolver for each lookup: it uses the system's current servers.
    const resolver = new dns.Resolver({ timeout: TIMEOUT, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    try {
      const records = await resolver.resolveMx(domain);
      return records.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);
    } catch (error) {
      if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  };
