import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateDkimKey, loadDkimKey } from '../../../email/dkim-key';
import { poolSignatures, type Signatures } from '../../../email/signing/signatures';
import { ThreadSignatures } from '../../../email/signing/thread-signatures';

const PROGRAM = join(__dirname, '../../../dist/signing-thread.js');

let keys: KeyObject[];
beforeAll(async () => {
  const made = await Promise.all([generateDkimKey(), generateDkimKey()]);
  keys = made.map(({ privateKeyPem }) => loadDkimKey(privateKeyPem));
});

const open = new Set<Signatures>();
afterEach(async () => {
  for (const signatures of open) await signatures.close();
  open.clear();
});

const unexpected = (error: Error): void => {
  throw error;
};
function thread(program = PROGRAM, onGone: (error: Error) => void = unexpected): ThreadSignatures {
  const signatures = new ThreadSignatures(program, onGone);
  open.add(signatures);
  return signatures;
}

const isSound = (data: string, key: KeyObject, signature: string): boolean =>
  verify('sha256', Buffer.from(data, 'utf8'), createPublicKey(key), Buffer.from(signature, 'base64'));

describe.each([
  ['on the thread pool', () => poolSignatures],
  ['in a thread', () => thread()],
])('signatures %s', (_name, make) => {
  it('are sound, each by its own key, however many are asked for at once', async () => {
    const signatures = make();
    const asked = Array.from({ length: 50 }, (_, n) => ({ data: `from:Tokö 発注書 <${n}@a.test>`, key: keys[n % 2]! }));
    const made = await Promise.all(asked.map(({ data, key }) => signatures.rsaSha256(data, key)));
    made.forEach((signature, n) => {
      expect(signature).toMatch(/^[A-Za-z0-9+/]{342}==$/);
      expect(isSound(asked[n]!.data, asked[n]!.key, signature)).toBe(true);
      expect(isSound(asked[n]!.data, keys[(n + 1) % 2]!, signature)).toBe(false);
    });
  });

  it('are refused by a key that cannot sign, and only they', async () => {
    const signatures = make();
    const [bad, good] = await Promise.allSettled([
      signatures.rsaSha256('data', createPublicKey(keys[0]!)),
      signatures.rsaSha256('data', keys[0]!),
    ]);
    expect(bad).toHaveProperty('reason.message');
    expect(good.status === 'fulfilled' && isSound('data', keys[0]!, good.value)).toBe(true);
  });
});

describe('the signing thread', () => {
  it('is replaced by the thread pool when it ends: what waits is signed, and what comes later', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'kurir-signing-'));
    const program = join(dir, 'ends.js');
    writeFileSync(program, "require('node:worker_threads').parentPort.once('message', () => process.exit(3));");
    const gone: Error[] = [];
    const signatures = thread(program, (error) => gone.push(error));
    const waiting = await Promise.all([1, 2, 3].map((n) => signatures.rsaSha256(`data ${n}`, keys[0]!)));
    waiting.forEach((signature, n) => expect(isSound(`data ${n + 1}`, keys[0]!, signature)).toBe(true));
    expect(gone.map(({ message }) => message)).toEqual(['it stopped with code 3']);
    expect(isSound('later', keys[1]!, await signatures.rsaSha256('later', keys[1]!))).toBe(true);
    rmSync(dir, { recursive: true });
  });

  it('that cannot even start is replaced too', async () => {
    const gone: Error[] = [];
    const signatures = thread(join(tmpdir(), 'no-such-program.js'), (error) => gone.push(error));
    expect(isSound('data', keys[0]!, await signatures.rsaSha256('data', keys[0]!))).toBe(true);
    expect(gone).toHaveLength(1);
  });

  it('leaves what cannot pass to it to the pool, with what was to travel beside it', async () => {
    const signatures = thread();
    const first = keys[0]!;
    const odd = { notAKey: () => undefined } as unknown as KeyObject;
    const [bad, good] = await Promise.allSettled([signatures.rsaSha256('a', odd), signatures.rsaSha256('b', first)]);
    expect(bad.status).toBe('rejected');
    expect(good.status === 'fulfilled' && isSound('b', first, good.value)).toBe(true);
    expect(isSound('c', first, await signatures.rsaSha256('c', first))).toBe(true);
  });

  it('signs what still waits when it is closed, and says nothing about its end', async () => {
    const signatures = thread();
    const waiting = signatures.rsaSha256('data', keys[0]!);
    await signatures.close();
    expect(isSound('data', keys[0]!, await waiting)).toBe(true);
    await setTimeout(20);
  });

  it('forgets the keys of long ago, and is told them again', async () => {
    const signatures = thread();
    const first = keys[0]!;
    await signatures.rsaSha256('data', first);
    // As many others as it remembers: objects of their own, of one key.
    const pem = keys[1]!.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (let n = 0; n < 1_001; n += 100) {
      const others = Array.from({ length: 100 }, () => loadDkimKey(pem));
      await Promise.all(others.map((key) => signatures.rsaSha256(`data ${n}`, key)));
    }
    expect(isSound('again', first, await signatures.rsaSha256('again', first))).toBe(true);
  });
});
