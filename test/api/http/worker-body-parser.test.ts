import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseBody } from '../../../api/http/parse-body';
import { PARSED_HERE, WorkerBodyParser } from '../../../api/http/worker-body-parser';
import { normalize } from '../../../schemas/rules/normalize';
import { unknownNames } from '../../../schemas/rules/unknown-fields';
import { messageShape } from '../../../schemas/messages/send-message';

const PROGRAM = join(__dirname, '../../../dist/body-worker.js');
const MIB = 1024 * 1024;

const dir = mkdtempSync(join(tmpdir(), 'kurir-bodies-'));
const open = new Set<WorkerBodyParser>();
afterEach(async () => {
  for (const parser of open) await parser.close();
  open.clear();
});
afterAll(() => rmSync(dir, { recursive: true }));

const gone: Error[] = [];
function parserOn(program = PROGRAM, idleMs?: number): WorkerBodyParser {
  const parser = new WorkerBodyParser(program, (error) => gone.push(error), idleMs);
  open.add(parser);
  return parser;
}

/** A thread that says how many bodies it was given, and parses none. */
function countingProgram(): string {
  const file = join(dir, 'counts.js');
  writeFileSync(
    file,
    `const { parentPort } = require('node:worker_threads');
     let count = 0;
     parentPort.on('message', ({ id, bytes }) => {
       if (Buffer.from(bytes).includes('end now')) process.exit(3);
       parentPort.postMessage({ id, fields: { count: ++count } });
     });`,
  );
  return file;
}

const padding = ' '.repeat(PARSED_HERE);
const large = (fields: object): Buffer => Buffer.from(JSON.stringify(fields) + padding);

describe('Parsing in a thread', () => {
  test('keeps the names of unknown fields, so that an answer can warn of them, not their values', async () => {
    const parser = parserOn();
    const fields = await parser.parse(
      large({ subject: 'Halo', cc: ['x'.repeat(99)], headers: {} }),
      'json',
      messageShape,
    );
    expect(fields).toEqual({ subject: 'Halo', cc: null, headers: null });
    expect(unknownNames(messageShape, fields)).toEqual(['cc', 'headers']);
  });

  // spec: docs/contract.md#batch-of-messages: warnings for each, also in a large body
  test('keeps them for each object of a list', async () => {
    const parser = parserOn();
    const shape = { messages: { items: messageShape, most: 500 } } as const;
    const messages = [{ subject: 'A', cc: 'x' }, 'no object', { from: 'y', attachments: [{ filename: 'f', x: 1 }] }];
    const fields = (await parser.parse(large({ messages, note: 1 }), 'json', shape)) as { messages: unknown[] };
    expect(fields).toEqual({
      note: null,
      messages: [{ subject: 'A', cc: null }, 'no object', { from: null, attachments: [{ filename: 'f', x: null }] }],
    });
    expect(unknownNames(messageShape, Object(fields.messages[2]) as object)).toEqual(['from']);
  });

  test('only large bodies go to the thread, JSON and forms', async () => {
    const parser = parserOn(countingProgram());
    const small = Buffer.from('{"a":1}'.padEnd(PARSED_HERE));
    expect(await parser.parse(small, 'json', {})).toEqual({ a: 1 });
    expect(await parser.parse(Buffer.from(`a=1${padding}`), 'form', {})).toEqual({ count: 1 });
    expect(await parser.parse(large({ a: 1 }), 'json', {})).toEqual({ count: 2 });
  });

  test('gives the fields of a message as this thread would, with attachments decoded and not copied', async () => {
    const contents = [3, 100_000, 7 * MIB].map((size) => Buffer.alloc(size, `inhalt ${size} `).toString('base64'));
    const fields = {
      to: ' budi@contoh.test ',
      html: '<p>世界</p>',
      unknown: 'x'.repeat(MIB),
      metadata: { order: ' 17 ' },
      attachments: contents.map((content) => ({ filename: 'a.txt', content })),
    };
    const parsed = normalize(messageShape, await parserOn().parse(large(fields), 'json', messageShape), 'json');
    const { attachments, ...rest } = parsed as { attachments: { filename: string; content: Buffer }[] };
    const expected = normalize(messageShape, { ...fields, attachments: undefined }, 'json');
    expect({ ...rest, attachments: undefined }).toEqual(expected);
    expect(attachments.map(({ filename }) => filename)).toEqual(contents.map(() => 'a.txt'));
    // Not `toEqual`, which compares every byte as an object.
    const isWhole = attachments.map(({ content }, i) => content.equals(Buffer.from(contents[i]!, 'base64')));
    expect(isWhole).toEqual(contents.map(() => true));
  });

  test('gives the fields of a form', async () => {
    const form = (): Buffer =>
      Buffer.from(`to=budi%40contoh.test&sending_domain_id=7&metadata[0]=x&html=${'+%3Cp%3E'.repeat(100_000)}`);
    const here = normalize(messageShape, parseBody(form(), 'form'), 'form');
    const there = normalize(messageShape, await parserOn().parse(form(), 'form', messageShape), 'form');
    expect(there).toEqual(here);
    expect(there).toMatchObject({ to: 'budi@contoh.test', sending_domain_id: 7, metadata: { 0: 'x' } });
  });

  test.each([
    ['json', `{"a": ${padding}`, 'malformed_body', 'The request body is not valid JSON.'],
    ['json', `[]${padding}`, 'validation_failed', 'The request body must be a JSON object.'],
    ['json', '['.repeat(2 * PARSED_HERE), 'malformed_body', 'The request body is nested too deeply.'],
    ['form', 'a=1&'.repeat(PARSED_HERE), 'malformed_body', 'The request body has too many fields.'],
    ['form', `a=%ff${padding}`, 'malformed_body', 'The request body is not valid UTF-8.'],
  ] as const)('rejects a wrong %s body with the error for its caller', async (source, text, code, message) => {
    await expect(parserOn().parse(Buffer.from(text), source, {})).rejects.toMatchObject({ code, message });
  });

  test('a thread that ends rejects what it had, is reported, and the next body starts another', async () => {
    const parser = parserOn(countingProgram());
    await expect(parser.parse(large({ a: 'end now' }), 'json', {})).rejects.toThrow('it stopped with code 3');
    expect(gone.splice(0).map(({ message }) => message)).toEqual(['it stopped with code 3']);
    expect(await parser.parse(large({}), 'json', {})).toEqual({ count: 1 });
  });

  test('an idle thread ends unreported, and the next body starts another', async () => {
    const parser = parserOn(countingProgram(), 1);
    expect(await parser.parse(large({}), 'json', {})).toEqual({ count: 1 });
    await sleep(100);
    expect(await parser.parse(large({}), 'json', {})).toEqual({ count: 1 });
    expect(gone).toEqual([]);
  });
});
