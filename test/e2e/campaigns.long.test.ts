import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auditData } from '../../proof/crash/audit-data';
import type { Installation } from '../../proof/crash/installation';
import { texts } from '../../domain/texts';
import { MINUTE, SECOND } from '../../lib/clock';
import type { CampaignProgress } from '../../stores/ports/campaign-runs';
import { eventually } from '../contract/helpers';
import { prepareCampaign, type Prepared } from '../support/campaigns';
import { describeOnEngines } from '../support/engines';
import { Running } from '../support/running';

/** Mails a minute: a campaign stops after them until the clock moves. */
const RATE = 10;
const NEXT_MINUTE = MINUTE + 2 * SECOND;
/** Mails of a campaign are spread over the minute: one every 6 s, the last of the ten after 54 s. */
const LAST_OF_MINUTE = 55 * SECOND;

describeOnEngines('A campaign that something happens to', (install) => {
  let installation: Installation;
  let running: Running;
  beforeAll(async () => {
    installation = install();
    running = await Running.startOn(installation);
    await running.stores.workspaces.setRate(1, { perMinute: RATE }, running.clock.now());
    await running.stores.workspaces.update(1, { businessAddress: 'Jl. Contoh 1' });
  });
  afterAll(async () => {
    await running.rest();
    expect(await auditData(installation)).toEqual([]);
    await installation.remove();
  });

  let serial = 0;
  const prepare = (members: number, kind = 'delivered'): Promise<Prepared> => {
    const { engine, keyring, clock } = running.kurir.services;
    serial += 1;
    const addresses = Array.from({ length: members }, (_, n) => `${kind}+${serial}.${n}@pelanggan.test`);
    const domainId = running.demo.sending_domain_id;
    return prepareCampaign({ stores: engine.stores, keyring, workspaceId: 1, domainId, at: clock.now() }, addresses);
  };
  const post = async ({ campaign }: Prepared, verb: string): Promise<unknown> => {
    const { status, body } = await running.api.request('POST', `/campaigns/${campaign.id}/${verb}`);
    return status === 200 ? body.status : [status, body.message];
  };
  const progressOf = async ({ campaign }: Prepared): Promise<CampaignProgress> =>
    (await running.stores.campaignRuns.progress(campaign))!;
  const until = (prepared: Prepared, counts: Partial<CampaignProgress['counts']>): Promise<void> =>
    eventually(async () => expect((await progressOf(prepared)).counts).toMatchObject(counts));
  const rowsOf = ({ campaign }: Prepared) => running.stores.campaignRuns.recipients(campaign, 0, 1_000);
  /** Starts it when the rate of the last minute is free again, and waits until it is used up. */
  const startOne = async (members: number): Promise<Prepared> => {
    await running.advance(NEXT_MINUTE);
    const prepared = await prepare(members);
    expect(await post(prepared, 'send')).toBe('live');
    await until(prepared, { recipients: members });
    await running.advance(LAST_OF_MINUTE);
    await until(prepared, { recipients: members, delivered: RATE, pending: members - RATE });
    return prepared;
  };

  // spec: docs/contract.md#campaign-recipients: unsubscribed, suppressed or deleted while it runs
  it('claims nothing for those who unsubscribe, are suppressed or deleted while it runs', async () => {
    const prepared = await startOne(RATE + 5);
    const { contacts, suppressions } = running.stores;
    const waiting = (await rowsOf(prepared)).filter(({ status }) => status === 'queued');
    const [unsubscribed, suppressed, deleted, ...others] = waiting;
    const now = running.clock.now();
    await contacts.raiseStatus(1, unsubscribed!.contactId, 'unsubscribed', now);
    const { emailHash: addressHash } = (await contacts.get(1, suppressed!.contactId))!;
    await suppressions.add({ workspaceId: 1, addressHash, reason: 'manual', messageId: null, createdAt: now });
    await contacts.delete(1, deleted!.contactId);
    await running.advance(NEXT_MINUTE);
    await until(prepared, { delivered: RATE + 2, failed: 3, pending: 0 });
    const after = new Map((await rowsOf(prepared)).map((row) => [row.contactId, row]));
    const seen = [unsubscribed, suppressed, deleted].map((row) => after.get(row!.contactId));
    expect(seen.map((row) => [row?.status, row?.reason, row?.email === null])).toEqual([
      ['failed', texts.contactUnsubscribed, false],
      ['failed', texts.suppressed, false],
      ['failed', texts.contactDeleted, true],
    ]);
    expect(others.map(({ contactId }) => after.get(contactId)?.status)).toEqual(['delivered', 'delivered']);
    await eventually(async () => {
      await running.advance(2 * SECOND);
      expect((await progressOf(prepared)).campaign.status).toBe('completed');
    });
  });

  // spec: docs/contract.md#campaign-recipients: suspended while it runs
  it('claims nothing while its workspace is suspended', async () => {
    const prepared = await startOne(RATE + 2);
    await running.stores.workspaces.update(1, { suspended: true });
    await running.advance(NEXT_MINUTE);
    await until(prepared, { delivered: RATE, failed: 2, pending: 0 });
    await running.stores.workspaces.update(1, { suspended: false });
    const reasons = (await rowsOf(prepared)).flatMap(({ status, reason }) => (status === 'failed' ? [reason] : []));
    expect(reasons).toEqual([texts.workspaceSuspended, texts.workspaceSuspended]);
  });

  // spec: docs/contract.md#campaign-after-the-start: all of it end to end
  it('stops when it is paused, goes on when it is resumed, and ends when it is cancelled', async () => {
    const prepared = await startOne(3 * RATE);
    const before = (await running.stores.coins.account(1)).balance;
    expect(await post(prepared, 'pause')).toBe('paused');
    expect(await post(prepared, 'pause')).toEqual([422, 'Campaign ini tidak sedang berjalan.']);
    await running.advance(3 * NEXT_MINUTE);
    await until(prepared, { delivered: RATE, pending: 2 * RATE, inHand: 0 });
    expect(await post(prepared, 'resume')).toBe('live');
    await running.advance(LAST_OF_MINUTE);
    await until(prepared, { delivered: 2 * RATE, pending: RATE });
    expect(await post(prepared, 'cancel')).toBe('completed');
    await until(prepared, { delivered: 2 * RATE, failed: RATE, pending: 0 });
    expect(await post(prepared, 'resume')).toEqual([422, 'Campaign ini tidak sedang dijeda.']);
    const failed = (await rowsOf(prepared)).filter(({ status }) => status === 'failed');
    expect(failed.map(({ reason }) => reason)).toEqual(Array(RATE).fill(texts.campaignCancelled));
    expect((await running.stores.coins.account(1)).balance).toBe(before - RATE);
  });

  // spec: docs/contract.md#scheduled-campaigns: started at its time; a refusal makes it a draft with the reason
  it('starts at its time, or is a draft again with the reason', async () => {
    await running.advance(NEXT_MINUTE);
    const [ready, empty] = [await prepare(2), await prepare(1)];
    const at = running.clock.now() + 2 * MINUTE;
    const { campaignRuns, domains } = running.stores;
    for (const { campaign } of [ready, empty]) {
      await campaignRuns.move(campaign, { kind: 'schedule', scheduledAt: at }, running.clock.now());
    }
    expect(await post(ready, 'send')).toEqual([422, texts.campaignNotDraft]);
    await running.advance(MINUTE);
    expect((await progressOf(ready)).campaign.status).toBe('scheduled');
    await running.advance(NEXT_MINUTE + 10 * SECOND);
    await until(ready, { delivered: 2 });
    const third = await prepare(1);
    await domains.setStatus(running.demo.sending_domain_id, 'suspended');
    const soon = running.clock.now() + MINUTE;
    await campaignRuns.move(third.campaign, { kind: 'schedule', scheduledAt: soon }, running.clock.now());
    await running.advance(2 * MINUTE);
    await eventually(async () => {
      const { campaign } = await progressOf(third);
      expect(campaign).toMatchObject({ status: 'draft', scheduledAt: null, scheduleError: texts.domainInactive });
    });
    await domains.setStatus(running.demo.sending_domain_id, 'active');
  });
});
