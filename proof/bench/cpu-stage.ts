import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { CommandLine } from '../crash/stage/command-line';
import { startHelper, type Helper } from './helper';
import type { Sender } from './message-request';
import { type Service, startService } from './service';

/** A workspace of a build; its mails come from `bounce.<domain>`. */
export interface BuildSender extends Sender {
  domain: string;
}

/** A running service of one build, with everything around it. */
export interface CpuStage {
  service: Service;
  hookSecret: string;
  sink: Helper<'sink'>;
  load: Helper<'load'>;
  endpoints: Helper<'endpoints'>;
  endpointPort: number;
  /** Its mails of the day go out during the warm-up; later ones stay in the queue. */
  free: BuildSender;
  /** Premium workspaces; a used one has spent its rate. */
  takeSender: () => BuildSender;
  stop(): Promise<void>;
}

export interface CpuStageOptions {
  /** The folder of the built programs. */
  dist: string;
  folder: string;
  workspaces: number;
}

const COINS = '1000000';

/**
 * Starts a service of a build on an empty folder, and fills it by the command line of that build: its schema may
 * differ.
 */
export async function openCpuStage({ dist, folder, workspaces }: CpuStageOptions): Promise<CpuStage> {
  mkdirSync(folder);
  const helpers = { sink: startHelper('sink'), load: startHelper('load'), endpoints: startHelper('endpoints') };
  const data = { KURIR_DATA_DIR: folder, KURIR_SECRET: randomBytes(32).toString('hex') };
  const hookSecret = randomBytes(32).toString('hex');
  const [endpointPort = 0] = await helpers.endpoints.call('listen', 1);
  const service = await startService({
    dist,
    folder,
    connections: 20,
    mtaPort: await helpers.sink.call('listen', undefined),
    env: { ...data, KURIR_HOOK_SECRET: hookSecret, KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' },
  });
  const stop = async (): Promise<void> => {
    await service.stop();
    for (const helper of Object.values(helpers)) helper.stop();
  };
  try {
    const kurir = new CommandLine(dist, data);
    const free = await createSender(kurir, 'free', 'grant');
    const senders: BuildSender[] = [];
    for (let n = 1; n <= workspaces; n++) senders.push(await createSender(kurir, `premium-${n}`, 'top-up'));
    const takeSender = (): BuildSender => senders.shift()!;
    return { service, hookSecret, ...helpers, endpointPort, free, takeSender, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createSender(kurir: CommandLine, name: string, coins: 'grant' | 'top-up'): Promise<BuildSender> {
  const domain = `${name}.bench.example`;
  await kurir.run('workspace', 'create', name, '--address', 'Jl. Contoh No. 1, Jakarta 10110');
  await kurir.run('coins', coins, name, COINS);
  const { id } = await kurir.run('domain', 'add', name, domain);
  await kurir.run('domain', 'activate', domain, '--force');
  const { key } = await kurir.run('key', 'create', name);
  return { apiKey: String(key), domainId: Number(id), domain };
}
