import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DOMAIN_STATUSES, type DomainStatus } from '../../../domain/sending-domain';
import { aDomain, aWorkspace } from '../../support/builders';
import { TestApi } from '../../support/test-api';

let world: TestApi;
beforeAll(async () => {
  world = await TestApi.open();
});
afterAll(() => world.close());

const list = async (key: string) =>
  JSON.parse((await world.get('/v1/domains', key)).text) as { id: number; domain: string; status: DomainStatus }[];

describe('GET /domains', () => {
  test('200: sending domains of the workspace, alphabetical, every status, no pagination', async () => {
    const account = await world.account();
    await world.account();
    const names = DOMAIN_STATUSES.map((status, n) => ({ domain: `${9 - n}.contoh.test`, status }));
    for (const domain of names) await world.stores.domains.create(aDomain(account.workspace.id, domain));
    const domains = await list(account.key);
    expect(domains.map(({ domain, status }) => ({ domain, status }))).toEqual([
      ...names.reverse(),
      { domain: account.domain.domain, status: 'active' },
    ]);
    expect(domains.at(-1)).toEqual({ id: account.domain.id, domain: account.domain.domain, status: 'active' });
  });

  test('200: an empty array without domains', async () => {
    const { key } = await world.key(await world.stores.workspaces.create(aWorkspace()), ['send_email']);
    expect(await list(key)).toEqual([]);
  });
});
