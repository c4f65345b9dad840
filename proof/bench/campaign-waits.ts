import { sleep } from '../../lib/sleep';
import { callApi } from './call-api';
import { NO_RATE, type CampaignStage } from './campaign-stage';
import { fixed } from './report';
import { SAMPLE } from './sample-mail';
import type { Service } from './service';
import { monotonic, percentile } from './time';

/** Transactional mails a second. */
const PACE = 10;
/** Members of each of the two campaigns: more than are sent meanwhile. */
const MEMBERS = 50_000;
const CAMPAIGNS = 2;
/** Until the campaigns fill the queue, ms. */
const FILLING = 3_000;
const PATIENCE = 90_000;
const WARM_UP = 3;
/** The contract's rate, and none. */
const RATES = [
  { name: 'no rate', perMinute: NO_RATE },
  { name: '1,200 a minute', perMinute: 1_200 },
];

/** Rows of the results: how long transactional mail waits beside two campaigns of its account, and without them. */
export async function measureWaits(stage: CampaignStage, seconds: number): Promise<string[][]> {
  const rows: string[][] = [];
  const ids = await stage.fill(MEMBERS, CAMPAIGNS * RATES.length);
  for (const { name, perMinute } of RATES) {
    await stage.limit(perMinute);
    const service = await stage.start();
    try {
      await playStretch(stage, service, WARM_UP);
      const alone = await playStretch(stage, service, seconds);
      const campaigns = ids.splice(0, CAMPAIGNS);
      for (const id of campaigns) await callApi(service, stage.sender, 'POST', `/campaigns/${id}/send`, {});
      await sleep(FILLING);
      const beside = await playStretch(stage, service, seconds);
      for (const id of campaigns) await callApi(service, stage.sender, 'POST', `/campaigns/${id}/cancel`, {});
      console.error(`p99 wait at ${name}: ${fixed(beside, 0)} ms beside campaigns, ${fixed(alone, 0)} ms without`);
      rows.push([
        `p99 wait of transactional mail, ms, ${name}`,
        fixed(beside, 0),
        fixed(alone, 0),
        fixed(beside / alone, 2),
      ]);
    } finally {
      await service.stop();
    }
  }
  return rows;
}

/** Posts at an even pace. Returns the p99 of the time from the answer until the sending server has the mail, ms. */
async function playStretch({ sender, sink }: CampaignStage, service: Service, seconds: number): Promise<number> {
  const answeredAt = new Map<string, number>();
  const open: Promise<void>[] = [];
  const began = monotonic();
  const post = async (n: number): Promise<void> => {
    const mail = {
      ...SAMPLE,
      to: `t${process.pid}-${began}-${n}@recipient.example`,
      sending_domain_id: sender.domainId,
    };
    const { message_id: id } = await callApi(service, sender, 'POST', '/messages', mail);
    answeredAt.set(String(id), monotonic());
  };
  for (let n = 0; n < seconds * PACE; n += 1) {
    const due = began + (n * 1_000) / PACE - monotonic();
    if (due > 0) await sleep(due);
    open.push(post(n));
  }
  await Promise.all(open);
  const waits: number[] = [];
  for (const end = monotonic() + PATIENCE; answeredAt.size > 0; await sleep(50)) {
    const arrivals = await sink.call('arrivals', [...answeredAt.keys()]);
    for (const [id, at] of arrivals) {
      // The mail may be faster than the answer.
      waits.push(Math.max(0, at - (answeredAt.get(id) ?? NaN)));
      answeredAt.delete(id);
    }
    if (monotonic() > end) throw new Error(`${answeredAt.size} mails did not arrive.`);
  }
  return percentile(waits, 0.99);
}
