import { createSandbox, type Sandbox } from '../../sandbox/sandbox';
import { SANDBOX, type DataDir } from '../engines/data-dir';
import type { Part } from './part';
import { listenAddress, LOOPBACK } from '../config/origin';
import type { Services } from '../services';
import type { Starting } from '../starting';
import { listenError } from '../start-error';

/**
 * The sandbox on its file in the data dir, not yet listening; null without the role. `ports` are read when a report is
 * sent. If all mail comes from this process, it listens on loopback only.
 */
function openSandbox(
  { config, clock, activity, logger }: Services,
  dir: DataDir | null,
  ports: { sandbox: number; bounce: number },
): Sandbox | null {
  if (!dir || !config.roles.includes('sandbox')) return null;
  return createSandbox({
    file: dir.file(SANDBOX),
    clock,
    activity,
    host: config.roles.includes('dispatch') ? LOOPBACK : listenAddress(config),
    port: ports.sandbox,
    reports: () => config.sandboxReports ?? { host: LOOPBACK, port: ports.bounce },
    hostname: 'sandbox.kurir.test',
    logger,
  });
}

/** The sandbox with its SMTP listener; sets its real port in `ports`. */
export function sandboxParts(starting: Starting): Part[] {
  const { services, host, ports } = starting;
  const sandbox = openSandbox(services, host.dir, ports);
  starting.sandbox = sandbox;
  return sandbox ? [sandboxPart(sandbox, ports)] : [];
}

function sandboxPart(sandbox: Sandbox, ports: { sandbox: number }): Part {
  return {
    name: 'sandbox',
    start: async () => {
      try {
        ports.sandbox = (await sandbox.listen()).port;
      } catch (error) {
        throw listenError('sandbox sending server', ports.sandbox, 'KURIR_SANDBOX_PORT', error);
      }
    },
    stop: () => sandbox.close(),
  };
}
