import { describe, expect, test } from '@jest/globals';
import { DRIVE_WORK } from '../../../../domain/campaigns/campaign-moves';
import { aGrant } from '../../../support/builders';
import { atOnce } from '../../../contract/helpers';
import { idCases, openApiFixture, outcome, scopeCase } from '../fixture';
import { prepareCampaign } from './campaigns-fixture';

const fixture = openApiFixture();
const send = (id: string | number) => fixture.ask('post', `/campaigns/${id}/send`);
const NOT_DRAFT = 'Campaign ini bukan draft.';

describe('POST /campaigns/{id}/send', () => {
  scopeCase(fixture, 'send_email', () => send(1));
  idCases(send);

  // spec: docs/contract.md#send-a-campaign: 200 `{id, status}`: live
  test('200: live, and its work is due', async () => {
    const { campaign } = await prepareCampaign(fixture);
    expect(await send(campaign.id)).toMatchObject({ status: 200, body: { id: campaign.id, status: 'live' } });
    expect(await fixture.api.stores.dueTasks.nextDue(DRIVE_WORK)).not.toBeNull();
    const stored = await fixture.api.stores.campaigns.get(fixture.workspaceId, campaign.id);
    expect(stored).toMatchObject({ status: 'live', sentAt: fixture.api.clock.now(), recipients: 3 });
  });

  // spec: docs/contract.md#send-a-campaign: completed when no recipient qualifies
  test('200: completed when no recipient qualifies', async () => {
    const { campaign, members } = await prepareCampaign(fixture, 1);
    const { contacts } = fixture.api.stores;
    await contacts.raiseStatus(fixture.workspaceId, members[0]!.id, 'unsubscribed', fixture.api.clock.now());
    expect(await send(campaign.id)).toMatchObject({ status: 200, body: { id: campaign.id, status: 'completed' } });
  });

  // spec: docs/contract.md#send-a-campaign: the five 422, the first one answers
  test('422, the first in the order of the contract: address, domain, content, coins, draft', async () => {
    const { stores } = fixture.api;
    const { campaign } = await prepareCampaign(fixture, 3, { html: null, status: 'completed' });
    const ready = await prepareCampaign(fixture, 3, { status: 'completed' });
    const { balance } = await stores.coins.account(fixture.workspaceId);
    await stores.coins.post(aGrant(fixture.workspaceId, 2 - balance));
    await stores.workspaces.update(fixture.workspaceId, { businessAddress: '' });
    await stores.domains.setStatus(fixture.account.domain.id, 'pending_dns');
    const address = 'Alamat bisnis belum diisi. Isi di pengaturan akun sebelum mengirim campaign.';
    expect(outcome(await send(campaign.id))).toEqual([422, address]);
    await stores.workspaces.update(fixture.workspaceId, { businessAddress: 'Jl. Melati 1' });
    expect(outcome(await send(campaign.id))).toEqual([422, 'Domain pengirim belum aktif/terverifikasi.']);
    await stores.domains.setStatus(fixture.account.domain.id, 'active');
    expect(outcome(await send(campaign.id))).toEqual([422, 'Konten email campaign ini belum diisi.']);
    const coins = 'Saldo koin tidak cukup: butuh 3 koin, saldo 2. Top-up koin untuk melanjutkan.';
    expect(outcome(await send(ready.campaign.id))).toEqual([422, coins]);
    await stores.coins.post(aGrant(fixture.workspaceId, 1));
    expect(outcome(await send(ready.campaign.id))).toEqual([422, NOT_DRAFT]);
  });

  // spec: docs/contract.md#send-a-campaign: two at once: one 200, one 422
  test('two at once: one 200, one 422', async () => {
    const { campaign } = await prepareCampaign(fixture);
    const answers = await atOnce(2, async () => send(campaign.id));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({ message: NOT_DRAFT });
  });

  test('422: a scheduled one is no draft', async () => {
    const { campaign } = await prepareCampaign(fixture, 1, { status: 'scheduled', scheduledAt: 1 });
    expect(outcome(await send(campaign.id))).toEqual([422, NOT_DRAFT]);
  });
});
