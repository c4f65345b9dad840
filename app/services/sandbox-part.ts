import { OtherInstallationError } from '../../sandbox/mail-file';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox';
import { SANDBOX, type DataDir } from '../../operations/installation/data-dir';
import type { Part } from '../core/part';
import { listenAddress, LOOPBACK } from '../../operations/config/origin';
import type { Services } from '../shared-services';
import type { StartContext } from './start-context';
import { listenError, StartError } from '../../lib/start-error';

/**
 * The sandbox on its file in the data dir, not yet listening; null without the role. `ports` are read when a report is
 * sent. If all mail comes from this process, it listens on loopback only. Throws StartError when the file belongs to
 * another installation.
 */
function openSandbox(
  { config, clock, activity, logger, installationId }: Services,
  dir: DataDir | null,
  ports: { sandbox: number; bounce: number },
): Sandbox | null {
  if (!dir || !config.roles.includes('sandbox')) return null;
  const file = dir.file(SANDBOX);
  const create = (): Sandbox =>
    createSandbox({
      file,
      installationId,
      clock,
      activity,
      host: config.roles.includes('dispatch') ? LOOPBACK : listenAddress(config),
      port: ports.sandbox,
      reports: () => config.sandboxReports ?? { host: LOOPBACK, port: ports.bounce },
      hostname: 'sandbox.kurir.test',
      logger,
    });
  try {
    return create();
  } catch (error) {
    throw error instanceof OtherInstallationError ? otherInstallation(error) : error;
  }
}

const otherInstallation = (error: OtherInstallationError): StartError =>
  new StartError(
    `${error.message.slice(0, -1)}: empty it with "kurir sandbox reset", or set KURIR_DATA_DIR to another directory.`,
    { cause: error },
  );

/** The sandbox with its SMTP listener; sets its real port in `ports`. */
export function sandboxParts(starting: StartContext): Part[] {
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
