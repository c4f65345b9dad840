import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { poolComposer, type Composer, type ComposeJob } from '../../../email/composing/composer';
import { SpreadComposer } from '../../../email/composing/spread-composer';
import { WorkerComposer } from '../../../email/composing/worker-composer';
import { dkimDnsValue, generateDkimKey, loadDkimKey } from '../../../email/dkim-key';
import { composedBy, NO_LIMITS } from '../support/composing';
import { MESSAGE_ID, composeInput } from '../support/compose-input';
import { SAMPLE_MAILS } from '../support/sample-mails';
import { verifyDkim } from '../support/verify-dkim';

const PROGRAM = join(__dirname, '../../../dist/compose-worker.js');

let pems: string[];
let keys: KeyObject[];
beforeAll(async () => {
  const made = await Promise.all([generateDkimKey(), generateDkimKey()]);
  pems = made.map(({ privateKeyPem }) => privateKeyPem);
  keys = pems.map(loadDkimKey);
});

const open = new Set<Composer>();
afterEach(async () => {
  for (const composer of open) await composer.close();
  open.clear();
});

const unexpected = (error: Error): void => {
  throw error;
};
function worker(program = PROGRAM, onGone: (error: Error) => void = unexpected): WorkerComposer {
  const composer = new WorkerComposer(program, onGone);
  open.add(composer);
  return composer;
}

/** Over up to two workers, and those that were started. */
function spread(programs: readonly string[] = [PROGRAM, PROGRAM]) {
  const started: WorkerComposer[] = [];
  const start = (): WorkerComposer => {
    const composer = worker(programs[started.length], () => undefined);
    started.push(composer);
    return composer;
  };
  return { composer: new SpreadComposer(start, programs.length), started };
}

/** A program of a thread that ends as soon as it is asked for something. */
async function withBrokenProgram(use: (program: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-composing-'));
  const program = join(dir, 'ends.js');
  writeFileSync(program, "require('node:worker_threads').parentPort.once('message', () => process.exit(3));");
  try {
    await use(program);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const job = (key: KeyObject, change: Parameters<typeof composeInput>[0] = {}): ComposeJob => ({
  ...NO_LIMITS,
  ...composeInput(change),
  selector: 'k1',
  key,
});
const jobFor = (n: number): ComposeJob => job(keys[n % 2]!, { to: `r${n}@a.test` });
/** Its own key, and the right recipient. */
async function isMailOf(raw: Buffer, n: number): Promise<boolean> {
  const { result } = await verifyDkim(raw, dkimDnsValue(pems[n % 2]!));
  return result === 'pass' && raw.includes(`\r\nTo: r${n}@a.test\r\n`);
}

describe.each([
  ['on the thread pool', () => poolComposer],
  ['in a worker', () => worker()],
  ['in two workers', () => spread().composer],
])('mails composed %s', (_name, make) => {
  it('are sound, each by its own key, however many are asked for at once', async () => {
    const composer = make();
    const mails = await Promise.all(Array.from({ length: 50 }, (_, n) => composedBy(composer, jobFor(n))));
    for (const [n, { raw }] of mails.entries()) expect(await isMailOf(raw, n)).toBe(true);
    expect((await verifyDkim(mails[0]!.raw, dkimDnsValue(pems[1]!))).result).not.toBe('pass');
  });

  it('are refused by a key that cannot sign, and only they', async () => {
    const composer = make();
    const [bad, good] = await Promise.allSettled([
      composedBy(composer, job(createPublicKey(keys[0]!))),
      composedBy(composer, jobFor(0)),
    ]);
    expect(bad).toHaveProperty('reason.message');
    expect(good.status === 'fulfilled' && (await isMailOf(good.value.raw, 0))).toBe(true);
  });

  it('come with the destinations of their tracked links', async () => {
    const html = '<a href="https://a.test/1">1</a><a href="https://a.test/2?x=1">2</a>';
    const { destinations, raw } = await composedBy(
      make(),
      job(keys[0]!, { body: { html, text: null }, trackConversions: true, contactName: null }),
    );
    expect(destinations).toEqual([
      `https://a.test/1?svc_mid=${MESSAGE_ID}`,
      `https://a.test/2?x=1&svc_mid=${MESSAGE_ID}`,
    ]);
    expect(raw.includes('https://t.kurir.test/c/1')).toBe(true);
  });
});

describe('the compose worker', () => {
  it.each(SAMPLE_MAILS)('composes the very bytes of %s that are composed here', async (_name, input) => {
    const here = await composedBy(poolComposer, { ...input, selector: 'k1', key: keys[0]! });
    const there = await composedBy(worker(), { ...input, selector: 'k1', key: keys[0]! });
    expect(there.raw.equals(here.raw)).toBe(true);
    expect(there.destinations).toEqual(here.destinations);
  });

  it('composes the mails of shared contents, however many, as if each had its own', async () => {
    const contents = Array.from({ length: 12 }, (_, n) => {
      const html = `<p>{{nama|Kak}} ${n}</p>${'<p>isi</p>'.repeat(20_000)}`;
      return { html, text: 'isi', isShared: true } as const;
    });
    const composer = worker();
    for (const body of [...contents, ...contents.slice(0, 2)]) {
      const own = { html: body.html, text: 'isi' };
      const [here, ...there] = await Promise.all([
        composedBy(poolComposer, job(keys[0]!, { body: own })),
        ...[1, 2].map(() => composedBy(composer, job(keys[0]!, { body }))),
      ]);
      expect(there.map(({ raw }) => raw.equals(here.raw))).toEqual([true, true]);
    }
  });

  it('leaves the bytes that lie beside an attachment alone', async () => {
    // Not of Node's own pool, which cannot be handed over anyhow.
    const shared = Buffer.alloc(21, 'before|attached|after');
    const mail = job(keys[0]!, {
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: shared.subarray(7, 15) }],
    });
    const { raw } = await composedBy(worker(), mail);
    expect(raw.includes(Buffer.from('attached').toString('base64'))).toBe(true);
    expect(raw.includes(Buffer.from('before|').toString('base64').slice(0, 8))).toBe(false);
    expect(shared.toString()).toBe('before|attached|after');
  });

  it('is handed the bytes of attachments, not a copy', async () => {
    const content = Buffer.alloc(100_000, 'a');
    const attachments = [{ filename: 'a.txt', contentType: 'text/plain', content }];
    const { raw } = await composedBy(worker(), job(keys[0]!, { attachments }));
    expect(raw.length).toBeGreaterThan(133_000);
    expect(content).toHaveLength(0);
  });

  it('is replaced when it ends: what waits is made here, and what comes later', () =>
    withBrokenProgram(async (program) => {
      const gone: Error[] = [];
      const composer = worker(program, (error) => gone.push(error));
      const waiting = await Promise.all([0, 1, 2].map((n) => composedBy(composer, jobFor(n))));
      for (const [n, { raw }] of waiting.entries()) expect(await isMailOf(raw, n)).toBe(true);
      expect(gone.map(({ message }) => message)).toEqual(['it stopped with code 3']);
      expect(await isMailOf((await composedBy(composer, jobFor(3))).raw, 3)).toBe(true);
    }));

  it('takes attachments with it when it ends: such a job is refused, and no mail is made without them', () =>
    withBrokenProgram(async (program) => {
      const composer = worker(program, () => undefined);
      const attachments = [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.alloc(100_000, 'a') }];
      const [attached, plain] = await Promise.allSettled([
        composedBy(composer, job(keys[0]!, { attachments })),
        composedBy(composer, jobFor(1)),
      ]);
      expect(attached).toHaveProperty('reason.name', 'AttachmentsGoneError');
      expect(plain.status === 'fulfilled' && (await isMailOf(plain.value.raw, 1))).toBe(true);
    }));

  it('that cannot even start is replaced too', async () => {
    const gone: Error[] = [];
    const composer = worker(join(tmpdir(), 'no-such-program.js'), (error) => gone.push(error));
    expect(await isMailOf((await composedBy(composer, jobFor(0))).raw, 0)).toBe(true);
    expect(gone).toHaveLength(1);
  });

  it('leaves what cannot pass to it to the pool, with what was to travel beside it', async () => {
    const composer = worker();
    const odd = { notAKey: () => undefined } as unknown as KeyObject;
    const attachments = [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.alloc(100_000, 'a') }];
    const [bad, good, attached] = await Promise.allSettled([
      composedBy(composer, job(odd)),
      composedBy(composer, jobFor(0)),
      composedBy(composer, job(keys[0]!, { attachments })),
    ]);
    expect(bad.status).toBe('rejected');
    expect(good.status === 'fulfilled' && (await isMailOf(good.value.raw, 0))).toBe(true);
    expect(attached.status === 'fulfilled' && attached.value.raw.length).toBeGreaterThan(100_000);
    expect(await isMailOf((await composedBy(composer, jobFor(2))).raw, 2)).toBe(true);
  });

  it('gives way to the pool for what still waits when it is closed, and says nothing about its end', async () => {
    const composer = worker();
    const waiting = composedBy(composer, jobFor(0));
    await composer.close();
    expect(await isMailOf((await waiting).raw, 0)).toBe(true);
    await setTimeout(20);
  });

  it('forgets the keys of long ago, and is told them again', async () => {
    const composer = worker();
    await composedBy(composer, jobFor(0));
    // As many others as it remembers: objects of their own, of one key.
    for (let n = 0; n < 1_001; n += 100) {
      const others = Array.from({ length: 100 }, () => loadDkimKey(pems[1]!));
      await Promise.all(others.map((key) => composedBy(composer, job(key))));
    }
    expect(await isMailOf((await composedBy(composer, jobFor(0))).raw, 0)).toBe(true);
  });
});

describe('two compose workers', () => {
  const compose = (composer: Composer, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => composedBy(composer, jobFor(n))));

  it('are two only once the first is busy, and no more than two', async () => {
    const { composer, started } = spread();
    await compose(composer, 8);
    expect(started).toHaveLength(1);
    const mails = await compose(composer, 100);
    expect(started).toHaveLength(2);
    for (const [n, { raw }] of mails.entries()) expect(await isMailOf(raw, n)).toBe(true);
  });

  it('are one when the other has ended', () =>
    withBrokenProgram(async (program) => {
      const { composer, started } = spread([program, PROGRAM]);
      await compose(composer, 9);
      expect(started.map(({ ended }) => ended)).toEqual([true, false]);
      const waiting = compose(composer, 3);
      expect(started.map(({ jobs }) => jobs)).toEqual([0, 3]);
      for (const [n, { raw }] of (await waiting).entries()) expect(await isMailOf(raw, n)).toBe(true);
    }));
});
