import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { DestinationFile } from '../../../domain/destinations/rules-file';
import { sleep } from '../../../lib/sleep';
import { callApi } from '../call-api';
import { NO_RATE } from '../campaign-stage';
import { startHelper, type Helper } from '../helper';
import { inFolder } from '../in-folder';
import type { ProviderCounts, ProviderLimits } from '../providers';
import { fixed, machine, type Section, whole } from '../report';
import { SAMPLE } from '../sample-mail';
import { limitFirst, seed, type SeededSender } from '../seed';
import { startService, type Service } from '../service';
import { monotonic, percentile } from '../time';

export const DESTINATIONS_TITLE = 'Pacing by destination';

/** The limits a minute of five providers, for a campaign of 50,000. */
const RATES = [2_000, 1_500, 1_200, 1_000, 800];
const source = 'the bench';
const CONNECTIONS = 20;
/** Transactional mails a second beside the campaign. */
const PACE = 2;
/** What takes longer is told as it is then, ms. */
const LIMIT = 1_500_000;

const limitsFor = (share: number): ProviderLimits[] =>
  RATES.map((rate, n) => ({
    domain: `provider${n + 1}.example`,
    perMinute: rate * share,
    greylistFor: n === 4 ? 5_000 : 0,
    blockAfter: 100,
    blockFor: 60_000,
  }));

const rulesFor = (limits: readonly ProviderLimits[]): DestinationFile => ({
  destinations: limits.map(({ domain, perMinute }, n) => ({
    ...{ name: `provider${n + 1}`, title: domain, domains: [domain], per_minute: perMinute, source },
  })),
  others: { source },
  slowed_from: { per_minute: 120, source },
  replies: [
    { name: 'blocked', text: ['go away'], do: 'stop', minutes: 1, sample: '421 4.7.0 go away', source },
    { name: 'fast', text: ['slow down'], do: 'slow', minutes: 2, sample: '450 4.7.1 slow down', source },
  ],
});

interface Played {
  seconds: number;
  arrived: number;
  counts: ProviderCounts;
  p99: number;
}

/** A campaign to five providers with hidden limits, with rules that know them and without rules. */
export async function destinationPacing(quick: boolean): Promise<Section> {
  const [mails, share] = quick ? [1_000, 0.2] : [50_000, 1];
  const load = fixed(loadavg()[0] ?? NaN, 1);
  const limits = limitsFor(share);
  const ideal = Math.max(
    ...limits.map(({ perMinute, greylistFor }) => (mails / 5 / perMinute) * 60 + greylistFor / 1_000),
  );
  const paced = await play(mails, limits, rulesFor(limits));
  const unpaced = await play(mails, limits, null);
  const row = (name: string, of: (played: Played) => string): string[] => [name, of(paced), of(unpaced)];
  return {
    title: DESTINATIONS_TITLE,
    about:
      `\`npm run bench -- destinations\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} Load at the start: ${load}. ` +
      `A campaign to ${whole(mails)} recipients at five providers that take ${limits.map(({ perMinute }) => whole(perMinute)).join(', ')} mails in any minute, the last one ` +
      'nothing of a stranger for its first 5 s, and that refuse everything for a minute after 100 refusals; ' +
      `${PACE} transactional mails a second to the same providers beside it. Pacing that knows the limits and uses them evenly takes ${fixed(ideal, 0)} s. ` +
      'A mail that is greylisted is tried again after a minute, with and without pacing, which is the p99. ' +
      `A run ends after ${LIMIT / 1_000} s at the latest.`,
    head: ['measured', 'paced by destination', 'without'],
    rows: [
      row('seconds until the last mail', ({ seconds, arrived }) =>
        arrived < mails ? `over ${fixed(seconds, 0)}` : fixed(seconds, 0),
      ),
      row('beside ideal pacing', ({ seconds, arrived }) =>
        arrived < mails ? '-' : `${fixed(seconds / ideal, 2)} times`,
      ),
      row('mails of the campaign taken', ({ arrived }) => whole(arrived)),
      row(
        'share of attempts deferred',
        ({ counts: { taken, refused } }) => `${fixed((100 * refused) / (taken + refused), 2)} %`,
      ),
      row('blocks', ({ counts: { blocks } }) => whole(blocks)),
      row('p99 wait of transactional mail, ms', ({ p99 }) => whole(p99)),
    ],
  };
}

function play(mails: number, limits: readonly ProviderLimits[], rules: DestinationFile | null): Promise<Played> {
  return inFolder(async (folder) => {
    const [sink, audience] = [startHelper('sink'), startHelper('audience')];
    let service: Service | null = null;
    try {
      const secret = randomBytes(32).toString('hex');
      const [sender] = await seed({ dataDir: folder, secret, workspaces: 1 });
      const domains = limits.map(({ domain }) => domain);
      const fill = { dataDir: folder, secret, domainId: sender!.domainId, contacts: mails, campaigns: 1, domains };
      const [campaign] = await audience.call('fill', fill);
      const mtaPort = await sink.call('listen', undefined);
      await sink.call('provide', limits);
      const file = join(folder, 'destinations.json');
      if (rules) writeFileSync(file, JSON.stringify(rules));
      await limitFirst(folder, NO_RATE);
      const env = { KURIR_DATA_DIR: folder, KURIR_SECRET: secret };
      const chosen = { ...env, KURIR_DESTINATION_RULES: rules ? file : 'off' };
      service = await startService({ folder, env: chosen, mtaPort, connections: CONNECTIONS });
      const began = monotonic();
      await callApi(service, sender!, 'POST', `/campaigns/${campaign}/send`, {});
      return await watch({ service, sender: sender!, sink }, { domains, mails, began });
    } finally {
      await service?.stop();
      for (const helper of [sink, audience]) helper.stop();
    }
  });
}

interface Stage {
  service: Service;
  sender: SeededSender;
  sink: Helper<'sink'>;
}

/** Posts transactional mail until the campaign has arrived, and looks how long it waits. */
async function watch(
  { service, sender, sink }: Stage,
  { domains, mails, began }: { domains: readonly string[]; mails: number; began: number },
): Promise<Played> {
  const posted = new Map<string, number>();
  const waits: number[] = [];
  const look = async (): Promise<void> => {
    for (const [id, at] of await sink.call('arrivals', [...posted.keys()])) {
      waits.push(Math.max(0, at - posted.get(id)!));
      posted.delete(id);
    }
  };
  let arrived = 0;
  for (let n = 0; monotonic() < began + LIMIT; n += 1) {
    const to = `t${n}@${domains[n % domains.length]}`;
    const mail = { ...SAMPLE, to, sending_domain_id: sender.domainId };
    const { message_id: id } = await callApi(service, sender, 'POST', '/messages', mail);
    posted.set(String(id), monotonic());
    await sleep(1_000 / PACE);
    await look();
    arrived = (await sink.call('count', undefined)).mails - waits.length;
    if (arrived >= mails) break;
  }
  const seconds = (monotonic() - began) / 1_000;
  const end = monotonic();
  for (; posted.size > 0 && monotonic() < end + 10_000; await sleep(100)) await look();
  // What has not arrived yet has waited at least until now.
  for (const at of posted.values()) waits.push(monotonic() - at);
  const counts = (await sink.call('provided', undefined))!;
  return { seconds, arrived: Math.min(arrived, mails), counts, p99: percentile(waits, 0.99) };
}
