import { describe, expect, it } from '@jest/globals';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { DkimKeyError, generateDkimKey, loadDkimKey } from '../../email/dkim-key';

const pem = (pair: { privateKey: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer } }): string =>
  pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('the DKIM key of a domain', () => {
  it('is an RSA-2048 key as PKCS#8, its public half ready for the DNS', async () => {
    const generated = await generateDkimKey();
    const key = loadDkimKey(generated.privateKeyPem);
    expect(generated.privateKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048);
    const spki = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
    expect(generated.publicKeyDns).toBe(`v=DKIM1; k=rsa; p=${spki}`);
  });

  it.each<[string, () => string, RegExp]>([
    [
      'a short RSA key',
      () => pem(generateKeyPairSync('rsa', { modulusLength: 1024 })),
      /must have 2048 bits or more, this one has 1024/,
    ],
    ['an Ed25519 key', () => pem(generateKeyPairSync('ed25519')), /must be RSA, this one is ed25519/],
    [
      'an RSA-PSS key',
      () => pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 })),
      /must be RSA, this one is rsa-pss/,
    ],
    [
      'a public key',
      () =>
        generateKeyPairSync('rsa', { modulusLength: 2048 })
          .publicKey.export({ type: 'spki', format: 'pem' })
          .toString(),
      /must be a private key/,
    ],
    ['nonsense', () => 'secret words', /must be a private key/],
    ['nothing', () => '', /must be a private key/],
  ])('is refused when it is %s, in words that do not give it away', (_name, make, message) => {
    const text = make();
    let error: unknown;
    try {
      loadDkimKey(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(DkimKeyError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('secret words');
  });
});
