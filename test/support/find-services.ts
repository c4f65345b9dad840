import { startContainers } from './containers';
import { MISSING, VARIABLES, type Env, type Server } from './server-urls';

const SERVERS = Object.keys(VARIABLES) as Server[];

/**
 * The variables to add to the environment of the tests. Where it names one server or more, those are used and nothing is
 * started; else containers are, where a Docker engine answers; else `MISSING` says why there are no servers.
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
