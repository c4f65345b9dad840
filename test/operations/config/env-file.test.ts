import { afterEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvFile } from '../../../operations/config/env-file';
import { temporaryDir } from '../../support/running';

const dir = temporaryDir();
const file = join(dir, '.env');
afterEach(() => rmSync(file, { recursive: true, force: true }));

function read(content: string | Buffer): ReturnType<typeof readEnvFile> {
  writeFileSync(file, content);
  return readEnvFile(dir);
}

describe('.env', () => {
  test('may be missing', () => {
    expect(readEnvFile(dir)).toEqual({});
  });

  test('is read as Node reads such files', () => {
    const text = [
      '# a comment',
      '',
      'KURIR_HTTP_PORT=8161   # behind it too',
      ' KURIR_LOG_LEVEL = warn',
      'export KURIR_HOSTS="a.example"',
      "KURIR_MTA_URL='smtp://a:b#c@d.example'",
      'EMPTY=',
      'LINES="one',
      'two = not a setting"',
      'LAST=`it\'s "x"`',
    ];
    const values = {
      KURIR_HTTP_PORT: '8161',
      KURIR_LOG_LEVEL: 'warn',
      KURIR_HOSTS: 'a.example',
      KURIR_MTA_URL: 'smtp://a:b#c@d.example',
      EMPTY: '',
      LINES: 'one\ntwo = not a setting',
      LAST: 'it\'s "x"',
    };
    expect(read(text.join('\n'))).toEqual(values);
    expect(read(`\ufeff${text.join('\r\n')}\r\n`)).toEqual(values);
  });

  test.each([
    ['KURIR_HTTP_PORT 8161', 1],
    ['# one\n\nKURIR_HTTP_PORT=1\nKURIR_SECRET: x', 4],
    ['A="one\ntwo"\n=x', 3],
    ['A="open\nKURIR_HOSTS', 2],
  ])('%j: the line that Node would pass over is named', (text, line) => {
    expect(() => read(text)).toThrow(`${file}, line ${line}: must be NAME=value, a comment (#) or empty.`);
  });

  test('that is no UTF-8 text is named', () => {
    expect(() => read(Buffer.from('\ufeffKURIR_HTTP_PORT=1', 'utf16le'))).toThrow(`${file} is not UTF-8 text`);
  });

  test('that cannot be read is named', () => {
    mkdirSync(file);
    expect(() => readEnvFile(dir)).toThrow(`${file} cannot be read: EISDIR`);
  });
});
