import { describe, expect, test } from '@jest/globals';
import { aCampaign, anAudience } from '../../../support/marketing';
import { openApiFixture, scopeCase } from '../fixture';

const fixture = openApiFixture();
const newCampaign = async (account = fixture.account, overrides = {}) => {
  const { id } = await fixture.api.stores.audiences.create(anAudience(account.workspace.id));
  return fixture.api.stores.campaigns.create(aCampaign(account, id, overrides));
};

describe('GET /campaigns', () => {
  scopeCase(fixture, 'send_email', () => fixture.ask('get', '/campaigns'));

  // spec: docs/contract.md#list-of-campaigns: Campaign (list item)
  // spec: docs/contract.md#list-of-campaigns: GET /campaigns: array, newest first, no pagination
  test('200: an array of all campaigns of the account, newest first, none of another', async () => {
    await fixture.ofAnother(newCampaign);
    expect(await fixture.ask('get', '/campaigns')).toMatchObject({ status: 200, body: [] });
    const draft = await newCampaign();
    const sent = await newCampaign(fixture.account, {
      status: 'completed',
      scheduledAt: Date.UTC(2026, 0, 4, 1, 2, 3, 4),
      sentAt: Date.UTC(2026, 0, 4, 1, 2, 4),
    });
    const { status, body } = await fixture.ask('get', '/campaigns');
    expect([status, body]).toEqual([
      200,
      [
        {
          id: sent.id,
          subject: 'Promo akhir tahun',
          status: 'completed',
          scheduled_at: '2026-01-04T01:02:03.004000Z',
          sent_at: '2026-01-04T01:02:04.000000Z',
          created_at: '2026-01-05T03:00:00.000000Z',
        },
        {
          id: draft.id,
          subject: 'Promo akhir tahun',
          status: 'draft',
          scheduled_at: null,
          sent_at: null,
          created_at: '2026-01-05T03:00:00.000000Z',
        },
      ],
    ]);
  });
});
