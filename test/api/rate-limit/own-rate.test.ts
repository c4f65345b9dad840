import { describe, expect, test } from '@jest/globals';
import { anApiKey } from '../../support/builders';
import { TestApi } from '../../support/test-api';

const api = TestApi.ofFile({ ratePerMinute: 2 });

describe('The request rate of a key', () => {
  // spec: docs/contract.md#request-rate: a key may have a rate of its own
  test('is that of its headers, of GET /account, and of the 429', async () => {
    const { workspace, key: plain } = await api.account();
    const text = `kurir_sk_${'r'.repeat(32)}`;
    const hash = api.keyring.hashCredential(text);
    await api.stores.credentials.createKey(anApiKey(workspace.id, { hash, ratePerMinute: 3 }));
    const ask = async (key: string) => {
      const { status, headers, body } = await api.get('/v1/account', key);
      const limits = body['limits'] as { requests_per_minute: number } | undefined;
      return [status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], limits?.requests_per_minute];
    };
    expect(await ask(text)).toEqual([200, '3', '2', 3]);
    expect(await ask(text)).toEqual([200, '3', '1', 3]);
    expect(await ask(text)).toEqual([200, '3', '0', 3]);
    expect(await ask(text)).toEqual([429, '3', '0', undefined]);
    expect(await ask(plain)).toEqual([200, '2', '1', 2]);
  });
});
