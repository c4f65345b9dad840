import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DOMAIN_STATUSES } from '../../../domain/sending-domain';
import { aDomain } from '../../support/builders';
import { World, type Account } from '../../support/world';

interface Listed {
  id: number;
  domain: string;
  status: string;
}

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const list = (account: Account) =>
  world.get('/v1/domains', account.key) as PromiseLike<unknown> as PromiseLike<{ status: number; body: Listed[] }>;

describe('GET /domains', () => {
  test('200: sending domains of the workspace, alphabetical, every status, no pagination', async () => {
    const account = await world.account();
    const other = await world.account();
    const names = DOMAIN_STATUSES.map((status, n) => ({ domain: `${9 - n}.contoh.test`, status }));
    for (const domain of names) await world.stores.domains.create(aDomain(account.workspace.id, domain));
    const { status, body } = await list(account);
    expect(status).toBe(200);
    expect(body.map(({ domain, status }) => ({ domain, status }))).toEqual([
      ...names.reverse(),
      { domain: account.domain.domain, status: 'active' },
    ]);
    expect(body.at(-1)).toEqual({ id: account.domain.id, domain: account.domain.domain, status: 'active' });
    expect(JSON.stringify(body)).not.toContain(other.domain.domain);
  });

  test('200: an empty array without domains', async () => {
    const workspace = await world.stores.workspaces.create({ ...(await world.account()).workspace });
    const { key } = await world.key(workspace, ['send_email']);
    expect((await world.get('/v1/domains', key)).body).toEqual([]);
  });
});
