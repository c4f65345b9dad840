import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RoleProcess } from './role';
import type { ROLES } from './roles';
import { seed, type SeededSender } from './seed';
import { type Service, startService } from './service';

type Role<N extends keyof typeof ROLES> = RoleProcess<ReturnType<(typeof ROLES)[N]>>;

/** The size of a run. */
export interface Effort {
  rounds: number;
  /** Length of each measured stretch. */
  seconds: number;
  /** Mails per end-to-end round. */
  mails: number;
  /** Connections of the load generator. */
  connections: number;
  /** Connections to the sending server, ours and the loop's. */
  mtaConnections: number;
}

/** Everything the parts run on. */
export interface Stage {
  effort: Effort;
  service: Service;
  /** Seeded premium workspaces. Each part takes fresh ones, since a used one has spent its rate. */
  takeSenders: (count: number) => SeededSender[];
  load: Role<'load'>;
  sink: Role<'sink'>;
  bare: Role<'bare'>;
  bareSmtp: Role<'bareSmtp'>;
  loop: Role<'loop'>;
  barePort: number;
  sinkPort: number;
  /** PEM of the signing key of the nodemailer loop. */
  privateKey: string;
}

/** Starts everything, runs `play`, and removes everything. */
export async function withStage<T>(effort: Effort, workspaces: number, play: (stage: Stage) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kurir-bench-'));
  const clear = (): void => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', clear);
  const roles = {
    load: new RoleProcess('load') as Role<'load'>,
    sink: new RoleProcess('sink') as Role<'sink'>,
    bare: new RoleProcess('bare') as Role<'bare'>,
    bareSmtp: new RoleProcess('bareSmtp') as Role<'bareSmtp'>,
    loop: new RoleProcess('loop') as Role<'loop'>,
  };
  let service: Service | undefined;
  try {
    const secret = randomBytes(32).toString('hex');
    const senders = await seed({ dataDir, secret, workspaces });
    const sinkPort = await roles.sink.call('listen', undefined);
    const barePort = await roles.bare.call('listen', undefined);
    service = await startService({
      folder: dataDir,
      env: { KURIR_DATA_DIR: dataDir, KURIR_SECRET: secret },
      mtaPort: sinkPort,
      connections: effort.mtaConnections,
    });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const takeSenders = (count: number): SeededSender[] => senders.splice(0, count);
    return await play({ effort, service, takeSenders, ...roles, sinkPort, barePort, privateKey: pem });
  } finally {
    await service?.stop();
    for (const role of Object.values(roles)) role.stop();
    clear();
  }
}
