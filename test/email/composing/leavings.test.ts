import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WorkerComposer } from '../../../email/composing/worker-composer';
import { dkimDnsValue, generateDkimKey, loadDkimKey } from '../../../email/dkim-key';
import { composedBy, NO_LIMITS } from '../support/composing';
import { composeInput } from '../support/compose-input';
import { verifyDkim } from '../support/verify-dkim';

const PROGRAM = join(__dirname, '../../../dist/compose-worker.js');
type Job = Parameters<WorkerComposer['compose']>[0];

let pem: string;
beforeAll(async () => {
  pem = (await generateDkimKey()).privateKeyPem;
  setFlagsFromString('--expose-gc');
});

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown): void => void unhandled.push(error);
let composer: WorkerComposer;
beforeEach(() => {
  process.on('unhandledRejection', onUnhandled);
  composer = new WorkerComposer(PROGRAM, (error) => unhandled.push(error));
});
afterEach(async () => {
  await composer.close();
  await setTimeout(5);
  process.off('unhandledRejection', onUnhandled);
  // Work that is still remembered when the thread ends would be done here, and its failure heard by no one.
  expect(unhandled.splice(0)).toEqual([]);
});

const job = (change: Partial<Job> = {}): Job => ({
  ...NO_LIMITS,
  ...composeInput({ to: 'r1@a.test' }),
  selector: 'k1',
  key: loadDkimKey(pem),
  ...change,
});
const attachment = (content: Buffer): Job['attachments'] => [{ filename: 'a.txt', contentType: 'text/plain', content }];
const isSound = async (raw: Buffer): Promise<boolean> =>
  (await verifyDkim(raw, dkimDnsValue(pem))).result === 'pass' && raw.includes('\r\nTo: r1@a.test\r\n');

/** Bytes that went to another thread already. */
function departed(): Buffer {
  const content = Buffer.alloc(100_000, 'a');
  structuredClone(null, { transfer: [content.buffer] });
  return content;
}
/** A key that looks like one and cannot pass to a thread. */
const oddKey = (): KeyObject => ({ notAKey: () => undefined }) as unknown as KeyObject;

/** Whether all that lived only in the object is free after the garbage was collected. */
async function isCollected(object: WeakRef<object>): Promise<boolean> {
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 20; round += 1) {
    await setTimeout(5);
    collect();
    if (object.deref() === undefined) return true;
  }
  return false;
}

/** Asks for a mail that cannot be made, and forgets it: what is left is a reference that keeps nothing. */
async function refused(change: () => Partial<Job>): Promise<WeakRef<object>> {
  const asked = job(change());
  await expect(composedBy(composer, asked)).rejects.toThrow();
  return new WeakRef(asked);
}

const CASES: [string, () => Partial<Job>][] = [
  ['whose attachments are gone', () => ({ attachments: attachment(departed()) })],
  ['whose key cannot pass', () => ({ key: oddKey() })],
  ['whose key cannot sign', () => ({ key: generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey })],
];

describe.each(CASES)('a mail %s', (_name, change) => {
  it('is refused, and nothing of it is kept', async () => {
    expect(await isCollected(await refused(change))).toBe(true);
  });

  it('spoils no mail that is asked for in the same turn, nor the next one', async () => {
    const [before, bad, after] = await Promise.allSettled([
      composedBy(composer, job()),
      composedBy(composer, job(change())),
      composedBy(composer, job()),
    ]);
    expect(bad.status).toBe('rejected');
    for (const mail of [before, after])
      expect(mail.status === 'fulfilled' && (await isSound(mail.value.raw))).toBe(true);
    expect(await isSound((await composedBy(composer, job())).raw)).toBe(true);
  });

  it('leaves no number behind under which another mail could be taken for it', async () => {
    for (let round = 0; round < 3; round += 1) {
      await refused(change);
      const mails = await Promise.all(
        Array.from({ length: 12 }, (_, n) => composedBy(composer, job({ ...composeInput({ to: `r${n}@a.test` }) }))),
      );
      for (const [n, { raw }] of mails.entries()) expect(raw.includes(`\r\nTo: r${n}@a.test\r\n`)).toBe(true);
    }
  });
});

describe('what cannot pass to the thread', () => {
  it('takes the key of its mail along to no end: the next mail of that key is signed by it', async () => {
    const key = loadDkimKey(pem);
    await refused(() => ({ key, attachments: attachment(departed()) }));
    expect(await isSound((await composedBy(composer, job({ key }))).raw)).toBe(true);
    // In one turn with a key that keeps the whole turn from passing.
    const [bad, good] = await Promise.allSettled([
      composedBy(composer, job({ key: oddKey() })),
      composedBy(composer, job({ key })),
    ]);
    expect(bad.status).toBe('rejected');
    expect(good.status === 'fulfilled' && (await isSound(good.value.raw))).toBe(true);
    expect(await isSound((await composedBy(composer, job({ key }))).raw)).toBe(true);
  });

  it('is made here when two mails of one turn share the bytes of an attachment', async () => {
    const shared = Buffer.alloc(30_000, 'a');
    const mails = await Promise.all([1, 2].map(() => composedBy(composer, job({ attachments: attachment(shared) }))));
    for (const { raw } of mails) {
      expect(await isSound(raw)).toBe(true);
      expect(raw.length).toBeGreaterThan(40_000);
    }
    expect(shared).toHaveLength(30_000);
  });
});
