import { describe, expect, it } from '@jest/globals';
import { DomainKeys } from '../../../consumers/dispatch/domain-keys';
import { type SendingDomain, dkimContext } from '../../../domain/settings/sending-domain';
import { generateDkimKey } from '../../../email/dkim-key';
import { TEST_KEYRING } from '../../support/builders';

/** Keys of a store that counts how often it is asked, and fails as long as it is told to. */
async function keysOf(): Promise<{ keys: DomainKeys; store: { asked: number; fails: boolean } }> {
  const { privateKeyPem } = await generateDkimKey();
  const domain = 'demo.kurir.test';
  const dkimKeySealed = TEST_KEYRING.seal(privateKeyPem, dkimContext(domain));
  const store = { asked: 0, fails: false };
  const get = async (id: number): Promise<SendingDomain | null> => {
    store.asked += 1;
    if (store.fails) throw new Error('the store is away');
    return id === 1 ? ({ id, domain, dkimSelector: 'k1', dkimKeySealed } as SendingDomain) : null;
  };
  return { keys: new DomainKeys({ get }, TEST_KEYRING), store };
}

describe('the signing keys of domains', () => {
  it('are read once for all mails that come together', async () => {
    const { keys, store } = await keysOf();
    const got = await Promise.all(Array.from({ length: 60 }, () => keys.get(1)));
    expect(new Set(got.map(({ key }) => key)).size).toBe(1);
    expect(store.asked).toBe(1);
  });

  it('are asked for again after a failure, and after a domain that is not there', async () => {
    const { keys, store } = await keysOf();
    store.fails = true;
    await expect(keys.get(1)).rejects.toThrow('the store is away');
    store.fails = false;
    expect((await keys.get(1)).selector).toBe('k1');
    await expect(keys.get(2)).rejects.toThrow('sending domain 2 does not exist');
    await expect(keys.get(2)).rejects.toThrow('sending domain 2 does not exist');
    expect(store.asked).toBe(4);
  });
});
