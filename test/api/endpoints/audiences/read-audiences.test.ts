import { describe, expect, test } from '@jest/globals';
import { addMembers, anAudience } from '../../../support/marketing';
import { idCases, NOT_FOUND, openApiFixture, outcome, scopeCase } from '../fixture';

const fixture = openApiFixture();
const newAudience = (overrides = {}) => fixture.api.stores.audiences.create(anAudience(fixture.workspaceId, overrides));

describe('GET /audiences', () => {
  scopeCase(fixture, 'manage_contacts', () => fixture.ask('get', '/audiences'));

  // spec: docs/contract.md#list-of-audiences: GET /audiences: array
  test('200: an array of all audiences of the account, none of another', async () => {
    await fixture.ofAnother(({ workspace }) => fixture.api.stores.audiences.create(anAudience(workspace.id)));
    expect((await fixture.ask('get', '/audiences')).body).toEqual([]);
    const first = await newAudience({ optInMode: 'double', description: 'Dari toko' });
    const second = await newAudience();
    await addMembers(fixture.api.stores, first, 2);
    const { status, body } = await fixture.ask('get', '/audiences');
    expect([status, body]).toEqual([
      200,
      [
        {
          id: first.id,
          workspace_id: fixture.workspaceId,
          name: first.name,
          description: 'Dari toko',
          public_token: first.publicToken,
          opt_in_mode: 'double',
          created_at: '2026-01-05T03:00:00.000000Z',
          updated_at: '2026-01-05T03:00:00.000000Z',
          contacts_count: 2,
        },
        expect.objectContaining({ id: second.id, contacts_count: 0 }),
      ],
    ]);
  });
});

describe('GET /audiences/{id}', () => {
  const show = (id: string | number) => fixture.ask('get', `/audiences/${id}`);
  scopeCase(fixture, 'manage_contacts', () => show(1));
  idCases(show);

  // spec: docs/contract.md#list-of-audiences: GET /audiences/{id}
  test('200: the audience', async () => {
    const { id } = await newAudience();
    const { status, body } = await show(id);
    expect([status, body]).toMatchObject([200, { id, workspace_id: fixture.workspaceId, contacts_count: 0 }]);
  });

  // spec: docs/contract.md#list-of-audiences: GET /audiences/{id}
  test('404: an audience owned by another account', async () => {
    const theirs = await fixture.ofAnother(({ workspace }) =>
      fixture.api.stores.audiences.create(anAudience(workspace.id)),
    );
    expect(outcome(await show(theirs.id))).toEqual(NOT_FOUND);
  });

  test('405: no other method', async () => {
    const { status, headers } = await fixture.ask('patch', '/audiences/1', {});
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});
