import { createSandbox, type Sandbox } from '../sandbox/sandbox';
import { SANDBOX, type DataDir } from './data-dir';
import type { Part } from './life-cycle';
import { LOOPBACK } from './origin';
import type { Services } from './services';
import { listenError } from './start-error';

/** The sandbox on its file in the data dir, not yet listening; `ports` are looked at when a report goes out. */
export function openSandbox(
  { clock, activity, logger }: Services,
  dir: DataDir,
  ports: { sandbox: number; bounce: number },
): Sandbox {
  return createSandbox({
    file: dir.file(SANDBOX),
    clock,
    activity,
    host: LOOPBACK,
    port: ports.sandbox,
    reports: () => ({ host: LOOPBACK, port: ports.bounce }),
    hostname: 'sandbox.kurir.test',
    logger,
  });
}

/** Runs the sandbox; puts the port it got into `ports`. */
export function sandboxPart(sandbox: Sandbox, ports: { sandbox: number }): Part {
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
