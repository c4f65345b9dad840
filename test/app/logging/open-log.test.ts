import { afterAll, describe, expect, test } from '@jest/globals';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pretty from 'pino-pretty';
import { eventually } from '../../contract/helpers';
import { openLog } from '../../../app/logging/open-log';
import type { Config } from '../../../operations/config/config';

const dir = mkdtempSync(join(tmpdir(), 'kurir-log-'));
afterAll(() => rmSync(dir, { recursive: true }));

let files = 0;
/** What a log writes. */
async function written(logFormat: Config['logFormat'], isTTY: boolean, level = 'info'): Promise<string> {
  const path = join(dir, `log-${++files}`);
  const fd = openSync(path, 'w');
  const logger = openLog({ logLevel: level, logFormat }, { fd, isTTY });
  logger.info({ messageId: 'm-1', err: new Error('no answer for siti@x.example') }, 'kurir is running');
  logger.debug({}, 'left out');
  // JSON is written without waiting for the disk.
  const text = (): string => readFileSync(path, 'utf8');
  await eventually(async () => expect(text()).toMatch(/\n$/));
  closeSync(fd);
  return text();
}
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('The log', () => {
  test.each([
    ['auto', false],
    ['json', true],
    ['json', false],
  ] as const)('is JSON with ISO times: %s, terminal %s', async (format, isTTY) => {
    const lines = (await written(format, isTTY)).trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    const line = JSON.parse(lines[0]!) as Record<string, unknown>;
    expect(line).toMatchObject({ level: 30, msg: 'kurir is running', messageId: 'm-1' });
    expect(line['time']).toMatch(ISO);
    expect(JSON.stringify(line)).not.toContain('siti@');
  });

  test.each([
    ['auto', true],
    ['text', true],
    ['text', false],
  ] as const)('is readable: %s, terminal %s', async (format, isTTY) => {
    const text = await written(format, isTTY);
    expect(text).toMatch(/\[?\d{2}:\d{2}:\d{2}\.\d{3}\]?/);
    expect(text).toContain('INFO');
    expect(text).toContain('kurir is running');
    expect(text).toContain('m-1');
    expect(text).not.toContain('siti@');
    expect(text).not.toMatch(/^\{/m);
    expect(text.includes('\u001b[')).toBe(isTTY && pretty.isColorSupported);
  });

  test.each(['text', 'json'] as const)('controls no terminal, whatever it was told: %s', async (format) => {
    const path = join(dir, `log-${++files}`);
    const fd = openSync(path, 'w');
    const evil = 'a\u001b[31mb\u009b31mc\u0085d\u007fe';
    openLog({ logLevel: 'info', logFormat: format }, { fd, isTTY: false }).warn(
      { subject: evil, [evil]: 1, err: new Error(evil) },
      `said ${evil}`,
    );
    const text = (): string => readFileSync(path, 'utf8');
    await eventually(async () => expect(text()).toMatch(/\n$/));
    closeSync(fd);
    expect(text().replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(text()).toContain('b\\u009b31mc\\u0085d\\u007fe');
  });
});
