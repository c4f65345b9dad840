import { serveRole, type Handlers } from './stage/role';
import type { ServiceOptions } from './service';

/** What a child process of the proof does. Each loads only what it needs: the service is started again and again. */
const ROLES: Readonly<Record<string, (options: never) => Promise<Handlers>>> = {
  service: async (options: ServiceOptions) => (await import('./service.js')).runService(options),
};

async function main([flag, name, options]: readonly string[]): Promise<void> {
  const role = flag === '--role' ? ROLES[name ?? ''] : undefined;
  if (role) serveRole(await role(JSON.parse(options ?? '{}') as never));
  else await (await import('./command.js')).crash(process.argv.slice(2));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
