import { describe, expect, test } from '@jest/globals';
import { DOMAIN_STATUSES, type DomainStatus } from '../../../../domain/settings/sending-domain';
import { aDomain, aWorkspace } from '../../../support/builders';
import { TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();

const list = async (key: string) =>
  JSON.parse((await api.get('/v1/domains', key)).text) as { id: number; domain: string; status: DomainStatus }[];

describe('GET /domains', () => {
  // spec: docs/contract.md#sending-domains: sending domain: id, domain, status
  // spec: docs/contract.md#sending-domains: GET /domains: array, alphabetical, no pagination
  test('200: sending domains of the workspace, alphabetical, every status, no pagination', async () => {
    const account = await api.account();
    await api.account();
    const names = DOMAIN_STATUSES.map((status, n) => ({ domain: `${9 - n}.contoh.test`, status }));
    for (const domain of names) await api.stores.domains.create(aDomain(account.workspace.id, domain));
    const domains = await list(account.key);
    expect(domains.map(({ domain, status }) => ({ domain, status }))).toEqual([
      ...names.reverse(),
      { domain: account.domain.domain, status: 'active' },
    ]);
    expect(domains.at(-1)).toEqual({
      id: account.domain.id,
      domain: account.domain.domain,
      status: 'active',
      category: 'marketing',
    });
  });

  // spec: docs/contract.md#sending-domains: sending domain: category
  test('200: the category, by the operator', async () => {
    const account = await api.account();
    await api.stores.domains.setMail(account.domain.id, { category: 'transactional', trackClicks: true });
    expect(await list(account.key)).toEqual([expect.objectContaining({ category: 'transactional' })]);
  });

  // spec: docs/contract.md#sending-domains: GET /domains: array, alphabetical, no pagination
  test('200: an empty array without domains', async () => {
    const { key } = await api.key(await api.stores.workspaces.create(aWorkspace()), ['send_email']);
    expect(await list(key)).toEqual([]);
  });
});
