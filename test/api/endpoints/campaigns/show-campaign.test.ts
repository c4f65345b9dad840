import { describe, expect, test } from '@jest/globals';
import { idCases, openApiFixture, scopeCase } from '../fixture';
import { prepareCampaign } from './campaigns-fixture';

const fixture = openApiFixture();
const show = (id: string | number) => fixture.ask('get', `/campaigns/${id}`);

describe('GET /campaigns/{id}', () => {
  scopeCase(fixture, 'send_email', () => show(1));
  idCases(show);

  // spec: docs/contract.md#show-a-campaign: the record with its counts
  test('200: the record with its counts, before and after the start', async () => {
    const { campaign } = await prepareCampaign(fixture, 2, { fromName: 'Toko' });
    const draft = {
      id: campaign.id,
      subject: 'Promo akhir tahun',
      status: 'draft',
      scheduled_at: null,
      sent_at: null,
      created_at: '2026-01-05T03:00:00.000000Z',
      audience_id: campaign.audienceId,
      sending_domain_id: fixture.account.domain.id,
      preheader: null,
      from_email: null,
      from_name: 'Toko',
      reply_to: null,
      cancelled_at: null,
      counts: { recipients: 0, delivered: 0, bounced: 0, failed: 0, skipped: 0, pending: 0, in_hand: 0 },
      opens: 0,
      clicks: 0,
      opens_by_people: 0,
      clicks_by_people: 0,
      unsubscribes: 0,
      complaints: 0,
      conversions: 0,
      revenue: 0,
      pause_reason: null,
      schedule_error: null,
    };
    expect(await show(campaign.id)).toMatchObject({ status: 200, body: draft });
    expect(Object.keys((await show(campaign.id)).body)).toEqual(Object.keys(draft));
    await fixture.ask('post', `/campaigns/${campaign.id}/send`);
    const { campaignRuns } = fixture.api.stores;
    await campaignRuns.expand(campaign, 10);
    await campaignRuns.feed(campaign, 1, fixture.api.clock.now());
    expect((await show(campaign.id)).body).toMatchObject({
      status: 'live',
      sent_at: '2026-01-05T03:00:00.000000Z',
      counts: { ...draft.counts, recipients: 2, pending: 2 },
    });
  });
});
