import { describe, expect, test } from '@jest/globals';
import { idCases, openApiFixture, outcome, scopeCase } from '../fixture';
import { prepareCampaign } from './campaigns-fixture';

const fixture = openApiFixture();
const post = (id: string | number, verb: string) => fixture.ask('post', `/campaigns/${id}/${verb}`);

const CASES = [
  ['pause', ['live'], 'paused', 'Campaign ini tidak sedang berjalan.'],
  ['resume', ['paused'], 'live', 'Campaign ini tidak sedang dijeda.'],
  ['cancel', ['live', 'paused'], 'completed', 'Campaign ini tidak sedang berjalan atau dijeda.'],
] as const;

describe.each(CASES)('POST /campaigns/{id}/%s', (verb, from, to, refusal) => {
  scopeCase(fixture, 'send_email', () => post(1, verb));
  idCases((id) => post(id, verb));

  // spec: docs/contract.md#campaign-after-the-start: pause, resume, cancel: 200 `{id, status}`
  test.each(from)('200: a campaign that is %s', async (status) => {
    const { campaign } = await prepareCampaign(fixture, 1, { status });
    expect(await post(campaign.id, verb)).toMatchObject({ status: 200, body: { id: campaign.id, status: to } });
    expect(await fixture.ask('get', `/campaigns/${campaign.id}`)).toMatchObject({ body: { status: to } });
  });

  const others = ['draft', 'scheduled', 'live', 'paused', 'completed'].filter(
    (status) => !from.some((one) => one === status),
  );
  // spec: docs/contract.md#campaign-after-the-start: 422 in another state
  test.each(others)('422: a campaign that is %s', async (status) => {
    const { campaign } = await prepareCampaign(fixture, 1, { status: status as 'draft' });
    expect(outcome(await post(campaign.id, verb))).toEqual([422, refusal]);
  });
});
