import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inlineMailReader } from '../../../../smtp/relay/mail/mail-reader';
import { READ_HERE, WorkerMailReader } from '../../../../smtp/relay/mail/worker-mail-reader';
import { aMail, MAILS } from './mails';

const PROGRAM = join(__dirname, '../../../../dist/mail-worker.js');
const MIB = 1024 * 1024;

const dir = mkdtempSync(join(tmpdir(), 'kurir-mails-'));
const open = new Set<WorkerMailReader>();
afterEach(async () => {
  for (const reader of open) await reader.close();
  open.clear();
});
afterAll(() => rmSync(dir, { recursive: true }));

const gone: Error[] = [];
function readerOn(program = PROGRAM, idleMs?: number): WorkerMailReader {
  const reader = new WorkerMailReader(program, (error) => gone.push(error), idleMs);
  open.add(reader);
  return reader;
}

/** A thread that says how many mails it was given, and reads none. */
function countingProgram(): string {
  const file = join(dir, 'counts.js');
  writeFileSync(
    file,
    `const { parentPort } = require('node:worker_threads');
     let count = 0;
     parentPort.on('message', ({ id, bytes }) => {
       if (Buffer.from(bytes).includes('end now')) process.exit(3);
       if (Buffer.from(bytes).includes('throw')) parentPort.postMessage({ id, failure: 'a fault of ours' });
       else parentPort.postMessage({ id, read: { count: ++count } });
     });`,
  );
  return file;
}

/** A mail above READ_HERE, in memory of its own. */
function large(subject: string, bytes = READ_HERE): Buffer {
  const pdf = `--aa\nContent-Type: application/pdf\n\n${'JVBERi0xLjQK\n'.repeat(bytes / 13)}`;
  const body = `--aa\n\nHalo ${subject}\n${pdf}\n--aa--`;
  return Buffer.from(
    new Uint8Array(aMail(`Subject: ${subject}\nContent-Type: multipart/mixed; boundary=aa`, body)).buffer,
  );
}

describe('Reading mails in a thread', () => {
  test('only large mails go to the thread', async () => {
    const reader = readerOn(countingProgram());
    expect(await reader.read(MAILS.get('django')!)).toMatchObject({ from: { address: 'webmaster@toko.test' } });
    expect(await reader.read(large('x'))).toEqual({ count: 1 });
    expect(await reader.read(large('y'))).toEqual({ count: 2 });
  });

  test('reads as this thread would, several at once, and without a copy of the mail', async () => {
    const reader = readerOn();
    const subjects = ['satu', 'dua', 'tiga', 'empat'];
    const contents = subjects.map((subject) => large(subject, 2 * MIB));
    const read = contents.map((content) => reader.read(content));
    expect(contents.map(({ length }) => length)).toEqual([0, 0, 0, 0]);
    const here = subjects.map((subject) => inlineMailReader.read(large(subject, 2 * MIB)));
    expect(await Promise.all(read)).toEqual(await Promise.all(here));
    expect(await read[2]).toMatchObject({ subject: 'tiga', text: 'Halo tiga', attachmentsLeftOut: 1 });
  });

  test('a mail that shares its memory is copied', async () => {
    const memory = Buffer.concat([large('x'), Buffer.from('rest')]);
    const shared = memory.subarray(0, -4);
    expect(await readerOn().read(shared)).toMatchObject({ subject: 'x' });
    expect(memory.subarray(-4).toString()).toBe('rest');
  });

  test('answers a mail that is refused with its fault', async () => {
    const mail = Buffer.from(new Uint8Array(aMail('', 'x'.repeat(9 * MIB))).buffer);
    expect(await readerOn().read(mail)).toMatchObject({ code: 552, enhanced: '5.3.4' });
  });

  test('20 mails of 10 MB at once', async () => {
    const reader = readerOn();
    const mail = large('x', 10 * MIB - 1_000);
    const mails = await Promise.all(
      Array.from({ length: 20 }, () => reader.read(Buffer.from(new Uint8Array(mail).buffer))),
    );
    expect(mails).toEqual(mails.map(() => expect.objectContaining({ subject: 'x', text: 'Halo x' })));
  });

  test.each([
    ['windows-1252', '93'],
    ['iso-8859-16', 'aa'],
    ['euc-kr', '8c63'],
    ['gb18030', '81308130'],
    ['iso-2022-jp', '1b2442467c1b2842'],
    ['utf-16', '3dd800de'],
    ['utf-8', 'c3'],
    ['us-ascii', '2026'],
  ])('the longest text in %s stays within the memory of the thread', async (charset, character) => {
    const header = `From: a@b.test\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n`;
    const text = Buffer.alloc(4 * MIB, Buffer.from(character, 'hex'));
    const mail = Buffer.concat([Buffer.from(header), text]);
    expect(await readerOn().read(mail)).toMatchObject({ code: 552, enhanced: '5.3.4' });
    expect(gone).toEqual([]);
  });

  test('a thread that ends rejects the mails it had, is reported, and the next mail starts another', async () => {
    const reader = readerOn(countingProgram());
    const both = await Promise.allSettled([reader.read(large('end now')), reader.read(large('x'))]);
    const reason = new Error('The mail worker has ended: it stopped with code 3');
    expect(both).toEqual(both.map(() => ({ status: 'rejected', reason })));
    expect(gone.splice(0).map(({ message }) => message)).toEqual(['it stopped with code 3']);
    expect(await reader.read(large('x'))).toEqual({ count: 1 });
  });

  test('a failure in the thread rejects its mail only', async () => {
    const reader = readerOn(countingProgram());
    const settled = await Promise.allSettled([reader.read(large('throw')), reader.read(large('x'))]);
    expect(settled).toEqual([
      { status: 'rejected', reason: new Error('a fault of ours') },
      { status: 'fulfilled', value: { count: 1 } },
    ]);
    expect(gone).toEqual([]);
  });

  test('an idle thread ends unreported, and the next mail starts another', async () => {
    const reader = readerOn(countingProgram(), 1);
    expect(await reader.read(large('x'))).toEqual({ count: 1 });
    await sleep(100);
    expect(await reader.read(large('x'))).toEqual({ count: 1 });
    expect(gone).toEqual([]);
  });
});
