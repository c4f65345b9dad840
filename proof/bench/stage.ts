import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { startHelper, type Helper } from './helper';
import { inFolder } from './in-folder';
import { seed, type SeededSender } from './seed';
import { type Service, startService } from './service';

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
  load: Helper<'load'>;
  sink: Helper<'sink'>;
  bare: Helper<'bare'>;
  bareSmtp: Helper<'bareSmtp'>;
  loop: Helper<'loop'>;
  barePort: number;
  sinkPort: number;
  /** PEM of the signing key of the nodemailer loop. */
  privateKey: string;
}

/** Starts everything, runs `play`, and removes everything. */
export function withStage<T>(effort: Effort, workspaces: number, play: (stage: Stage) => Promise<T>): Promise<T> {
  return inFolder(async (dataDir) => {
    const helpers = {
      load: startHelper('load'),
      sink: startHelper('sink'),
      bare: startHelper('bare'),
      bareSmtp: startHelper('bareSmtp'),
      loop: startHelper('loop'),
    };
    let service: Service | undefined;
    try {
      const secret = randomBytes(32).toString('hex');
      const senders = await seed({ dataDir, secret, workspaces });
      const sinkPort = await helpers.sink.call('listen', undefined);
      const barePort = await helpers.bare.call('listen', undefined);
      service = await startService({
        folder: dataDir,
        env: { KURIR_DATA_DIR: dataDir, KURIR_SECRET: secret },
        mtaPort: sinkPort,
        connections: effort.mtaConnections,
      });
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const takeSenders = (count: number): SeededSender[] => senders.splice(0, count);
      return await play({ effort, service, takeSenders, ...helpers, sinkPort, barePort, privateKey: pem });
    } finally {
      await service?.stop();
      for (const helper of Object.values(helpers)) helper.stop();
    }
  });
}
