import { describe, expect, test } from '@jest/globals';
import { aJourney } from '../../../support/marketing';
import { openDesk, scopeCase } from '../desk';

const desk = openDesk();

describe('GET /journeys', () => {
  scopeCase(desk, 'send_email', () => desk.ask('get', '/journeys'));

  test('200: an array of all journeys of the account, none of another', async () => {
    const { journeys } = desk.world.stores;
    await desk.ofAnother(({ workspace }) => journeys.create(aJourney(workspace.id)));
    expect(await desk.ask('get', '/journeys')).toMatchObject({ status: 200, body: [] });
    const first = await journeys.create(aJourney(desk.workspaceId, { name: 'Sambutan' }));
    const second = await journeys.create(
      aJourney(desk.workspaceId, { name: 'Ulang tahun', status: 'draft', triggerType: 'form_subscribe' }),
    );
    const { status, body } = await desk.ask('get', '/journeys');
    expect([status, body]).toEqual([
      200,
      [
        { id: first.id, name: 'Sambutan', status: 'active', trigger_type: 'api' },
        { id: second.id, name: 'Ulang tahun', status: 'draft', trigger_type: 'form_subscribe' },
      ],
    ]);
  });
});
