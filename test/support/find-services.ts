import { startContainers } from './containers';
import { MISSING, VARIABLES, type Env, type Server } from './server-urls';

const SERVERS = Object.keys(VARIABLES) as Server[];

/**
 * The variables to add to the environment of the tests. If the environment names a server, nothing is started. Else
 * containers are started, if a Docker engine answers. Else `MISSING` says why there are no servers.
 */
export async function findServices(env: Env): Promise<Record<string, string>> {
  if (SERVERS.some((server) => env[VARIABLES[server]])) return {};
  const names = SERVERS.map((server) => VARIABLES[server]).join(', ');
  try {
    const urls = await startContainers();
    return Object.fromEntries(SERVERS.map((server) => [VARIABLES[server], urls[server]]));
  } catch (error) {
    return { [MISSING]: `none of ${names} is set, and no containers could be started: ${(error as Error).message}` };
  }
}
