import { describe, expect, test } from '@jest/globals';
import { aJourney } from '../../../support/marketing';
import { openApiFixture, scopeCase } from '../fixture';

const fixture = openApiFixture();

describe('GET /journeys', () => {
  scopeCase(fixture, 'send_email', () => fixture.ask('get', '/journeys'));

  // spec: docs/contract.md#list-of-journeys: Journey (list item)
  // spec: docs/contract.md#list-of-journeys: GET /journeys: array
  test('200: an array of all journeys of the account, none of another', async () => {
    const { journeys } = fixture.api.stores;
    await fixture.ofAnother(({ workspace }) => journeys.create(aJourney(workspace.id)));
    expect(await fixture.ask('get', '/journeys')).toMatchObject({ status: 200, body: [] });
    const first = await journeys.create(aJourney(fixture.workspaceId, { name: 'Sambutan' }));
    const second = await journeys.create(
      aJourney(fixture.workspaceId, { name: 'Ulang tahun', status: 'draft', triggerType: 'form_subscribe' }),
    );
    const { status, body } = await fixture.ask('get', '/journeys');
    expect([status, body]).toEqual([
      200,
      [
        { id: first.id, name: 'Sambutan', status: 'active', trigger_type: 'api' },
        { id: second.id, name: 'Ulang tahun', status: 'draft', trigger_type: 'form_subscribe' },
      ],
    ]);
  });
});
