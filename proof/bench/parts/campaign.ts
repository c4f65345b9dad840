import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { processUsage } from '../../crash/process-usage';
import { fixed, machine, type Section, whole } from '../report';
import { limitFirst, seed } from '../seed';
import { startService, type Service } from '../service';
import { measureExpansion } from '../campaign-expansion';
import { callApi } from '../call-api';
import { NO_RATE, type CampaignStage } from '../campaign-stage';
import { measureWaits } from '../campaign-waits';
import { startHelper, type Helper } from '../helper';
import { inFolder } from '../in-folder';
import { monotonic } from '../time';
import { timedRound, type Round } from '../timed-round';

export const CAMPAIGN_TITLE = 'Campaigns';

interface Effort {
  recipients: number;
  /** Recipients of the campaign before it, which warms both sides up. */
  warmUp: number;
  /** Members of the audiences whose manifests are made. */
  expand: readonly number[];
  /** Length of a stretch of transactional mail, seconds. */
  seconds: number;
}
const FULL: Effort = { recipients: 50_000, warmUp: 5_000, expand: [10_000, 100_000], seconds: 20 };
const QUICK: Effort = { recipients: 3_000, warmUp: 500, expand: [10_000], seconds: 5 };

const CONNECTIONS = 20;
const LIMIT = 1_200_000;

/** A campaign from its start to its last mail beside a nodemailer loop, its manifest, and what waits beside it. */
export async function campaignRates(quick: boolean): Promise<Section> {
  const effort = quick ? QUICK : FULL;
  const load = fixed(loadavg()[0] ?? NaN, 1);
  const expansion = await measureExpansion(effort.expand);
  const { rows, cpu } = await withStage((stage) => measureRate(stage, effort));
  const waits = await withStage((stage) => measureWaits(stage, effort.seconds));
  return {
    title: CAMPAIGN_TITLE,
    about:
      `\`npm run bench -- campaign\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} Load at the start: ${load}. ` +
      `One campaign to ${whole(effort.recipients)} recipients, html with three tracked links and text, from the request that starts it until ` +
      `the sending server has the last mail, over ${CONNECTIONS} connections. The baseline is a nodemailer pool with 40 mails in hand that merges, tracks, ` +
      `and stores nothing; the rows are of one run. Kurir signs every mail, so the second row is its signed mail beside an unsigned loop. ${cpu} ` +
      'The manifest is made by a process that does nothing else. The wait is from the answer to POST /messages until the mail is at the sending server, ' +
      'ten mails a second, while two campaigns wait in the same account, beside the same without them.',
    head: ['measured', 'Kurir', 'baseline', 'ratio'],
    rows: [...rows, ...expansion, ...waits],
  };
}

async function measureRate(stage: CampaignStage, effort: Effort): Promise<{ rows: string[][]; cpu: string }> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const [warmUp] = await stage.fill(effort.warmUp, 1);
  const [campaign] = await stage.fill(effort.recipients, 1);
  const service = await stage.start();
  const loop = startHelper('loop');
  try {
    await ourRound(stage, service, warmUp!, effort.warmUp);
    await loopRound(stage, loop, effort.warmUp, pem);
    const ours = await ourRound(stage, service, campaign!, effort.recipients);
    console.error(`${whole(ours.rate)} mails a second`);
    const signed = await loopRound(stage, loop, effort.recipients, pem);
    const bare = await loopRound(stage, loop, effort.recipients, null);
    const row = (name: string, theirs: Round): string[] => [
      name,
      whole(ours.rate),
      whole(theirs.rate),
      fixed(ours.rate / theirs.rate, 2),
    ];
    const ms = ({ cpu }: Round): string => (cpu === null ? 'n/a' : fixed(cpu, 2));
    const memory = processUsage(service.pid)?.peakMemory;
    return {
      rows: [row('mails/s, and a loop with DKIM', signed), row('mails/s, and a loop without signing', bare)],
      cpu: `Processor time a mail: ${ms(ours)} ms, the loop ${ms(signed)} and without signing ${ms(bare)}; peak memory of the service: ${memory === undefined ? 'n/a' : whole(memory)} MB.`,
    };
  } finally {
    loop.stop();
    await service.stop();
  }
}

function ourRound({ sink, sender }: CampaignStage, service: Service, id: number, mails: number): Promise<Round> {
  const send = async (): Promise<number> => {
    const startedAt = monotonic();
    await callApi(service, sender, 'POST', `/campaigns/${id}/send`, {});
    return startedAt;
  };
  return timedRound({ sink, pid: service.pid, mails, send, limit: LIMIT });
}

function loopRound(
  { sink, sinkPort: port }: CampaignStage,
  loop: Helper<'loop'>,
  mails: number,
  privateKey: string | null,
): Promise<Round> {
  const how = { sample: 'small', how: 'careful' } as const;
  const send = () => loop.call('send', { port, mails, connections: CONNECTIONS, privateKey, ...how });
  return timedRound({ sink, pid: loop.pid, mails, send, limit: LIMIT, unsigned: privateKey === null });
}

function withStage<T>(play: (stage: CampaignStage) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const sink = startHelper('sink');
    try {
      const secret = randomBytes(32).toString('hex');
      const [sender] = await seed({ dataDir: folder, secret, workspaces: 1 });
      const { domainId } = sender!;
      const mtaPort = await sink.call('listen', undefined);
      const limit = (perMinute: number): Promise<void> => limitFirst(folder, perMinute);
      await limit(NO_RATE);
      const env = { KURIR_DATA_DIR: folder, KURIR_SECRET: secret };
      return await play({
        folder,
        secret,
        sender: sender!,
        sink,
        sinkPort: mtaPort,
        fill: async (contacts, campaigns) => {
          const helper = startHelper('audience');
          const ids = await helper.call('fill', { dataDir: folder, secret, domainId, contacts, campaigns });
          helper.stop();
          return ids;
        },
        start: () => startService({ folder, env, mtaPort, connections: CONNECTIONS }),
        limit,
      });
    } finally {
      sink.stop();
    }
  });
}
