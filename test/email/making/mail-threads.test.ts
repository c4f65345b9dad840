import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateDkimKey } from '../../../email/dkim-key';
import { makeMail, makerInPlace, type MadeMail, type MailOrder } from '../../../email/making/make-mail';
import { MailThreads } from '../../../email/making/mail-threads';
import { composeInput } from '../support/compose-input';

const PROGRAM = join(__dirname, '../../../dist/mail-thread.js');

let privateKeyPem: string;
let otherKeyPem: string;
let dir: string;
let threads: MailThreads;
beforeAll(async () => {
  [privateKeyPem, otherKeyPem] = (await Promise.all([generateDkimKey(), generateDkimKey()])).map(
    (key) => key.privateKeyPem,
  ) as [string, string];
});
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kurir-mail-threads-'));
});
afterEach(async () => {
  await threads.close();
  rmSync(dir, { recursive: true, force: true });
});

const links = { clickBase: 'https://t.test/c/', open: 'https://t.test/o/1.gif', unsubscribe: 'https://t.test/u/1' };

const order = (n: number, overrides: Partial<MailOrder> = {}): MailOrder => ({
  ...composeInput({
    message: { id: `01890000-0000-7000-8000-${String(n).padStart(12, '0')}` },
    body: { html: `<p>Halo {{nama|Kak}} ${n}</p><a href="https://toko.test/${n}">a</a>`, text: null },
    attachments: [{ filename: 'nota.pdf', contentType: 'application/pdf', content: Buffer.alloc(1_000 + n, n) }],
  }),
  links,
  selector: 'k1',
  privateKeyPem,
  ...overrides,
});

/** The program of a thread that is asked for mails and does something else. */
function program(body: string): string {
  const file = join(dir, 'thread.js');
  writeFileSync(file, `const { parentPort } = require('node:worker_threads');\n${body}`);
  return file;
}

/** Text of the same bytes: equal buffers are compared byte by byte otherwise. */
const shown = ({ raw, destinations }: MadeMail): unknown => ({ raw: raw.toString('latin1'), destinations });

describe('mails made in threads', () => {
  it('are to the byte those made in place, each with its own destinations, whatever number is asked for at once', async () => {
    threads = new MailThreads(PROGRAM, 2);
    const orders = Array.from({ length: 60 }, (_, n) =>
      order(n, n % 3 === 0 ? { privateKeyPem: otherKeyPem, selector: 'k2' } : {}),
    );
    const made = await Promise.all(orders.map((each) => threads.make(each)));
    for (const [n, mail] of made.entries()) {
      expect(shown(mail)).toEqual(shown(makeMail(orders[n]!)));
      expect(mail.destinations).toEqual([`https://toko.test/${n}`]);
    }
    expect(made[0]!.raw.toString('latin1')).toContain('s=k2;');
    expect(shown(await makerInPlace.make(orders[1]!))).toEqual(shown(made[1]!));
  });

  it('fail alone: a key that cannot sign is the error of its mail, the others of the batch are made', async () => {
    threads = new MailThreads(PROGRAM, 1);
    const results = await Promise.allSettled([
      threads.make(order(1)),
      threads.make(order(2, { privateKeyPem: 'no key' })),
      threads.make(order(3)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(String((results[1] as PromiseRejectedResult).reason)).toContain('The DKIM key is no private key');
  });

  it('fail when they are no plain data', async () => {
    threads = new MailThreads(PROGRAM, 1);
    const odd = { ...order(1), odd: () => undefined };
    await expect(threads.make(odd)).rejects.toThrow('could not be cloned');
    expect(shown(await threads.make(order(2)))).toEqual(shown(makeMail(order(2))));
  });

  it('fail when their thread ends, and a new thread makes those that come later', async () => {
    threads = new MailThreads(
      program(`
      const { existsSync, writeFileSync } = require('node:fs');
      const mark = ${JSON.stringify(join(dir, 'died'))};
      parentPort.on('message', () => {
        if (!existsSync(mark)) {
          writeFileSync(mark, '');
          throw new Error('out of memory');
        }
      });
      if (existsSync(mark)) require(${JSON.stringify(PROGRAM)});`),
      1,
    );
    const results = await Promise.allSettled([threads.make(order(1)), threads.make(order(2))]);
    expect(results.map((result) => String((result as PromiseRejectedResult).reason))).toEqual([
      'Error: The thread that makes mails has ended: out of memory',
      'Error: The thread that makes mails has ended: out of memory',
    ]);
    expect(shown(await threads.make(order(3)))).toEqual(shown(makeMail(order(3))));
  });

  it('fail when the thread leaves without a word', async () => {
    threads = new MailThreads(program("parentPort.on('message', () => process.exit(7))"), 1);
    await expect(threads.make(order(1))).rejects.toThrow('it stopped with code 7');
  });

  it('are refused after the close, and those under way are too', async () => {
    threads = new MailThreads(program("parentPort.on('message', () => undefined)"), 1);
    const waiting = expect(threads.make(order(1))).rejects.toThrow('has ended');
    await new Promise(setImmediate);
    await threads.close();
    await waiting;
    await expect(threads.make(order(2))).rejects.toThrow('no longer made');
  });
});
