import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { startCampaign } from '../../operations/campaigns/start-campaign';
import { NEW_CAMPAIGN } from '../../domain/campaigns/campaign';
import { Keyring } from '../../domain/keyring';
import { AdvancingClock } from '../../lib/advancing-clock';
import { openEmbedded } from '../../stores/embedded/open';
import type { CampaignRef } from '../../stores/ports/campaign-runs';
import { SAMPLE } from './sample-mail';
import { monotonic } from './time';

export interface FillAudience {
  dataDir: string;
  secret: string;
  domainId: number;
  contacts: number;
  /** Drafts to this audience. */
  campaigns: number;
}

const BATCH = 1_000;
/** The workspace that the seed makes. */
const WORKSPACE = 1;

/**
 * Makes an audience with so many contacts and drafts to it, before the service starts. Returns the ids of the drafts.
 */
export async function fillAudience({ dataDir, secret, ...options }: FillAudience): Promise<number[]> {
  const clock = new AdvancingClock();
  const engine = await openEmbedded({ file: join(dataDir, 'kurir.sqlite'), clock });
  const keyring = new Keyring(secret);
  const { stores } = engine;
  const createdAt = clock.now();
  const name = `Audience of ${options.contacts}`;
  const list = { workspaceId: WORKSPACE, name, description: null, optInMode: 'single' as const, createdAt };
  const { id: audienceId } = await stores.audiences.create({ ...list, publicToken: randomUUID() });
  for (let n = 0; n < options.contacts; n += BATCH) {
    const contacts = Array.from({ length: Math.min(BATCH, options.contacts - n) }, (_, i) => {
      const email = `r${n + i}@recipient.example`;
      const contact = { email, emailHash: keyring.hashAddress(email), name: `Pelanggan ${n + i}` };
      return { ...contact, status: 'subscribed' as const };
    });
    await stores.bulkContacts.add({ workspaceId: WORKSPACE, audienceId, contacts, at: createdAt });
  }
  const ids: number[] = [];
  for (let n = 0; n < options.campaigns; n += 1) {
    const sender = { fromEmail: null, fromName: null, replyTo: null, preheader: null, blocks: null };
    const content = { ...SAMPLE, subject: `${SAMPLE.subject}, {{nama|Kak}}` };
    const of = { workspaceId: WORKSPACE, audienceId, domainId: options.domainId, createdAt };
    ids.push((await stores.campaigns.create({ ...NEW_CAMPAIGN, ...sender, ...content, ...of })).id);
  }
  await engine.close();
  return ids;
}

/** Starts a campaign and makes its whole manifest as the service does. Returns the rows, and how long it took in ms. */
export async function expandCampaign({ dataDir, id }: { dataDir: string; id: number }): Promise<[number, number]> {
  const clock = new AdvancingClock();
  const engine = await openEmbedded({ file: join(dataDir, 'kurir.sqlite'), clock });
  const campaign: CampaignRef = { workspaceId: WORKSPACE, id };
  const { campaignRuns } = engine.stores;
  const began = monotonic();
  const draft = (await engine.stores.campaigns.get(WORKSPACE, id))!;
  const started = await startCampaign({ stores: engine.stores, clock }, draft);
  if (started.kind !== 'started') throw new Error(`The campaign did not start: ${JSON.stringify(started)}`);
  let rows = 0;
  for (let n = -1; n !== 0; rows += Math.max(0, n)) n = await campaignRuns.expand(campaign, BATCH);
  const took = monotonic() - began;
  await engine.close();
  return [rows, took];
}
