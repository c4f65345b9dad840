import { describe, expect, it } from '@jest/globals';
import { DomainKeys } from '../../../consumers/dispatch/domain-keys';
import { type SendingDomain, dkimContext } from '../../../domain/settings/sending-domain';
import { generateDkimKey } from '../../../email/dkim-key';
import { TEST_KEYRING } from '../../support/builders';

interface Store {
  asked: number;
  fails: boolean;
  /** The domain now has a new key. */
  rotate(): Promise<void>;
  /** Real time passes, ms. */
  wait(ms: number): void;
}

/** Keys of a store that counts how often it is asked, and fails as long as it is told to. */
async function keysOf(): Promise<{ keys: DomainKeys; store: Store }> {
  const domain = 'demo.kurir.test';
  const sealed = async () => TEST_KEYRING.seal((await generateDkimKey()).privateKeyPem, dkimContext(domain));
  let [dkimSelector, dkimKeySealed, now] = ['k1', await sealed(), 0];
  const store = {
    asked: 0,
    fails: false,
    rotate: async () => void ([dkimSelector, dkimKeySealed] = ['k2', await sealed()]),
    wait: (ms: number) => void (now += ms),
  };
  const get = async (id: number): Promise<SendingDomain | null> => {
    store.asked += 1;
    if (store.fails) throw new Error('the store is away');
    return id === 1 ? ({ id, domain, dkimSelector, dkimKeySealed } as SendingDomain) : null;
  };
  return { keys: new DomainKeys({ get }, TEST_KEYRING, () => now), store };
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

  it('are asked for again after five seconds, and parsed only when they changed', async () => {
    const { keys, store } = await keysOf();
    const first = await keys.get(1);
    store.wait(4_999);
    expect(await keys.get(1)).toBe(first);
    store.wait(1);
    expect(await keys.get(1)).toBe(first);
    expect(store.asked).toBe(2);
    await store.rotate();
    expect((await keys.get(1)).selector).toBe('k1');
    store.wait(5_000);
    const second = await Promise.all([keys.get(1), keys.get(1)]);
    expect(second.map(({ selector }) => selector)).toEqual(['k2', 'k2']);
    expect(second[0].key).not.toBe(first.key);
    expect(store.asked).toBe(3);
  });

  it('are not used past five seconds while the store is away', async () => {
    const { keys, store } = await keysOf();
    await keys.get(1);
    store.wait(5_000);
    store.fails = true;
    await expect(keys.get(1)).rejects.toThrow('the store is away');
    store.fails = false;
    expect((await keys.get(1)).selector).toBe('k1');
  });
});
