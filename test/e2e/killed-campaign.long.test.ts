import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditData } from '../../proof/crash/audit-data';
import { freePorts } from '../../proof/crash/free-ports';
import type { Installation } from '../../proof/crash/installation';
import { SECRET, seedWorkspaces, type Sender } from '../../proof/crash/seed';
import { readJournal } from '../../proof/crash/sink/journal';
import { sinkInProcess, type SinkHandle } from '../../proof/crash/sink-role';
import { Keyring } from '../../domain/keyring';
import { texts } from '../../domain/texts';
import type { CampaignProgress, CampaignRecipient } from '../../stores/ports/campaign-runs';
import { prepareCampaign, type Prepared } from '../support/campaigns';
import { describeOnEngines } from '../support/engines';
import { EVERYTHING } from '../support/everything';
import { Caller } from '../support/running';
import { Service } from '../support/service';

const KILLS = EVERYTHING ? 5 : 2;
const MEMBERS = 300;
/** What the sink does with some of the recipients; it takes the mail of all others, and says so. */
const ODD: Readonly<Record<number, string>> = { 20: 'hardbounce', 120: 'hardbounce', 60: 'complaint', 90: 'reject' };
const PATIENCE = 240_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describeOnEngines('A campaign while kill -9 ends the service again and again', (install) => {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-campaign-'));
  const journal = join(folder, 'journal.jsonl');
  let installation: Installation | null = null;
  let service: Service | null = null;
  let sink: SinkHandle | null = null;
  afterAll(async () => {
    await service?.kill();
    await sink?.close();
    await installation?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  // spec: docs/contract.md#show-a-campaign: the counts close at every moment
  // spec: docs/contract.md#campaign-statuses: completed once every recipient is final
  it('sends one mail to each who qualifies, lists why the others get none, and every coin is right', async () => {
    installation = install();
    const [http = 0, bounce = 0] = await freePorts(2);
    sink = await sinkInProcess({ journal, bouncePorts: [bounce], reportWait: 100, slowWait: 200 });
    const [sender] = (await seedWorkspaces(installation, 1)) as [Sender];
    const prepared = await prepare(installation, sender);
    const { campaign } = prepared;
    const env = {
      KURIR_SECRET: SECRET,
      KURIR_HTTP_PORT: String(http),
      KURIR_BOUNCE_PORT: String(bounce),
      KURIR_PUBLIC_URL: `http://127.0.0.1:${http}`,
      KURIR_MTA_URL: `smtp://127.0.0.1:${sink.port}`,
      KURIR_PREMIUM_PER_MINUTE: '100000',
      KURIR_EVIDENCE_WAIT: '10s',
    };
    service = await Service.start(installation, env);
    const api = new Caller(`http://127.0.0.1:${http}/v1`, sender.apiKey);
    expect(await api.request('POST', `/campaigns/${campaign.id}/send`)).toMatchObject({ status: 200 });
    for (let life = 1; life <= KILLS; life += 1) {
      // During the manifest and the first messages, then ever later.
      await pause(life * 250);
      await service.kill();
      service = await Service.start(installation, env);
    }
    await untilCompleted(api, campaign.id);
    await untilReported(sink);
    expect(await service.terminate()).toBe(0);
    const { progress, recipients, balance } = await readEnd(installation, prepared, sender);
    expectSkipped(recipients, prepared);
    expectMails(recipients, journal);
    const { handedOver, penalties } = expectOutcomes(progress, recipients);
    expect(balance).toBe(sender.coins - handedOver - 4 * penalties);
    expect(await auditData(installation)).toEqual([]);
  }, 600_000);
});

/** 300 members, of whom six do not qualify. */
async function prepare(installation: Installation, { workspaceId, domainId }: Sender): Promise<Prepared> {
  const engine = await installation.open();
  const { stores } = engine;
  const at = Date.now();
  const keyring = new Keyring(SECRET);
  const addresses = Array.from({ length: MEMBERS }, (_, n) => `${ODD[n] ?? 'delivered'}+${n}@pelanggan.test`);
  const prepared = await prepareCampaign({ stores, keyring, workspaceId, domainId, at }, addresses);
  const { contacts } = prepared;
  for (const [n, status] of [
    [10, 'unsubscribed'],
    [11, 'bounced'],
    [12, 'complained'],
    [13, 'unsubscribed'],
  ] as const) {
    await stores.contacts.raiseStatus(workspaceId, contacts[n]!.id, status, at);
  }
  const suppression = { reason: 'manual' as const, messageId: null, createdAt: at };
  await stores.suppressions.add({ ...suppression, workspaceId, addressHash: contacts[14]!.emailHash });
  await stores.suppressions.add({ ...suppression, workspaceId: null, addressHash: contacts[15]!.emailHash });
  await engine.close();
  return prepared;
}

async function untilCompleted(api: Caller, id: number): Promise<void> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const { body } = await api.get(`/campaigns/${id}`);
    const { recipients, ...parts } = body.counts as Record<string, number>;
    expect(Object.values(parts).reduce((sum, n) => sum + n, 0)).toBe(recipients);
    if (body.status === 'completed') return;
    if (Date.now() > end) throw new Error(`not completed: ${JSON.stringify(body)}`);
    await pause(100);
  }
}

/** A complaint may come after the last message is final. */
async function untilReported(sink: SinkHandle): Promise<void> {
  while ((await sink.pendingReports()) > 0) await pause(50);
  await pause(3_000);
}

async function readEnd(installation: Installation, { campaign }: Prepared, { workspaceId }: Sender) {
  const engine = await installation.open();
  const { campaignRuns, coins } = engine.stores;
  const progress = await campaignRuns.progress(campaign);
  const recipients = await campaignRuns.recipients(campaign, 0, MEMBERS + 1);
  const { balance } = await coins.account(workspaceId);
  await engine.close();
  return { progress: progress!, recipients, balance };
}

function expectSkipped(recipients: readonly CampaignRecipient[], { contacts }: Prepared): void {
  const byEmail = new Map(recipients.map((row) => [row.email, row]));
  expect(byEmail.size).toBe(MEMBERS);
  const skipped = recipients.filter(({ status }) => status === 'skipped');
  expect(skipped.map(({ messageId }) => messageId)).toEqual(Array(6).fill(null));
  const reasons = [10, 11, 12, 13, 14, 15].map((n) => byEmail.get(contacts[n]!.email)?.reason);
  expect(reasons).toEqual(['unsubscribed', 'bounced', 'complained', 'unsubscribed', 'suppressed', 'suppressed']);
}

/**
 * Everyone else ended as the sink says. A mail whose process died between the fence and its first byte is never handed
 * over again: it ends without a record, and costs nothing.
 */
function expectOutcomes(progress: CampaignProgress, recipients: readonly CampaignRecipient[]) {
  const ends: Readonly<Record<string, string>> = { hardbounce: 'bounced', reject: 'failed' };
  const rows = recipients.filter(({ status }) => status !== 'skipped');
  const known = rows.filter(({ reason }) => reason !== texts.noRecord);
  const kinds = known.map(({ email }) => email!.split('+')[0]!);
  expect(known.map(({ status }) => status)).toEqual(kinds.map((kind) => ends[kind] ?? 'delivered'));
  const [delivered, bounced] = ['delivered', 'bounced'].map((is) => rows.filter(({ status }) => status === is).length);
  const failed = rows.length - delivered! - bounced!;
  const final = { delivered, bounced, failed, skipped: 6, pending: 0, inHand: 0 };
  expect(progress.campaign).toMatchObject({ status: 'completed', recipients: 294 });
  expect(progress.counts).toEqual({ recipients: MEMBERS, ...final });
  const complaints = kinds.filter((kind) => kind === 'complaint').length;
  expect(progress).toMatchObject({ complaints, brake: { bad: bounced! + complaints } });
  return { handedOver: delivered! + bounced!, penalties: bounced! + complaints };
}

/** The sink has one mail for each message that was handed over, and none else. */
function expectMails(recipients: readonly CampaignRecipient[], journal: string): void {
  const mails = readJournal(journal).filter((entry) => entry.what === 'mail');
  const sent = recipients.filter(({ status }) => status === 'delivered' || status === 'bounced');
  expect(mails.map(({ messageId, to }) => `${messageId} ${to}`).sort()).toEqual(
    sent.map(({ messageId, email }) => `${messageId} ${email}`).sort(),
  );
}
