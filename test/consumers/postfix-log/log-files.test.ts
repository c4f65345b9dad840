import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LogFiles } from '../../../consumers/postfix-log/log-files';
import type { LogPosition } from '../../../consumers/postfix-log/log-position';

let path = '';
let time = 0;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'kurir-log-')), 'mail.log');
  time = 0;
});
afterEach(() => rmSync(dirname(path), { recursive: true }));

const follow = (): LogFiles => new LogFiles(path, () => time);

/** Everything that can be read now, while renamed files are waited for. */
async function readAll(files: LogFiles): Promise<{ lines: string[]; gaps: string[] }> {
  const found = { lines: [] as string[], gaps: [] as string[] };
  for (let quiet = 0; quiet < 8;) {
    const { lines, gap, atEnd } = await files.read();
    found.lines.push(...lines);
    if (gap !== null) found.gaps.push(gap);
    quiet = lines.length > 0 ? 0 : quiet + 1;
    if (!atEnd) time += 3_000;
  }
  return found;
}

async function fromBegin(text: string): Promise<LogFiles> {
  writeFileSync(path, '');
  const files = follow();
  await files.openAtEnd();
  appendFileSync(path, text);
  return files;
}

describe('a log file', () => {
  test('is read from its end on, by whole lines', async () => {
    writeFileSync(path, 'old 1\nold 2\n');
    const files = follow();
    expect(await files.openAtEnd()).toBe(true);
    expect(await files.read()).toMatchObject({ lines: [], atEnd: true });
    appendFileSync(path, 'a\nb\nhal');
    expect(await files.read()).toMatchObject({ lines: ['a', 'b'], atEnd: false });
    expect(await files.read()).toMatchObject({ lines: [], atEnd: false });
    appendFileSync(path, 'f\n');
    expect(await files.read()).toMatchObject({ lines: ['half'], atEnd: true });
    await files.close();
  });

  test('that does not exist yet is read from its beginning once it does', async () => {
    const files = follow();
    expect(await files.openAtEnd()).toBe(false);
    writeFileSync(path, 'a\n');
    expect((await readAll(files)).lines).toEqual(['a']);
    await files.close();
  });

  test('that is renamed is read to its end, also what comes late, then the next one', async () => {
    const files = await fromBegin('a\n');
    await files.read();
    renameSync(path, `${path}.1`);
    appendFileSync(`${path}.1`, 'b\n');
    writeFileSync(path, 'c\n');
    expect(await readAll(files)).toEqual({ lines: ['b', 'c'], gaps: [] });
    appendFileSync(`${path}.1`, 'late\n');
    expect(await readAll(files)).toEqual({ lines: ['late'], gaps: [] });
    await files.close();
  });

  test.each(['a rotation', 'no rotation'])('is found again after a restart with %s in between', async (what) => {
    const files = await fromBegin('a\n');
    await files.read();
    const position = files.position as LogPosition;
    await files.close();
    appendFileSync(path, 'b\n');
    if (what === 'a rotation') {
      renameSync(path, `${path}.1`);
      writeFileSync(path, 'c\n');
    }
    const again = follow();
    expect(await again.openAt(position)).toBe(true);
    expect(await readAll(again)).toEqual({ lines: what === 'a rotation' ? ['b', 'c'] : ['b'], gaps: [] });
    await again.close();
  });

  test('after two rotations every file is read in its order', async () => {
    const files = await fromBegin('a\n');
    await files.read();
    renameSync(path, `${path}.2`);
    writeFileSync(`${path}.1`, 'b\n');
    writeFileSync(path, 'c\n');
    for (const [name, at] of [
      [`${path}.2`, 1_000],
      [`${path}.1`, 2_000],
      [path, 3_000],
    ] as const)
      utimesSync(name, at, at);
    expect(await readAll(files)).toEqual({ lines: ['b', 'c'], gaps: [] });
    await files.close();
  });

  test('a compressed file between two is a gap', async () => {
    const files = await fromBegin('a\n');
    await files.read();
    renameSync(path, `${path}.2`);
    writeFileSync(`${path}.1.gz`, 'x');
    writeFileSync(path, 'c\n');
    for (const [name, at] of [
      [`${path}.2`, 1_000],
      [`${path}.1.gz`, 2_000],
      [path, 3_000],
    ] as const)
      utimesSync(name, at, at);
    const { lines, gaps } = await readAll(files);
    expect(lines).toEqual(['c']);
    expect(gaps).toEqual([expect.stringContaining('compressed')]);
    await files.close();
  });

  test.each([
    ['cut short', () => truncateSync(path, 0)],
    ['written over', () => writeFileSync(path, 'something else, longer than before\n')],
  ])('that was %s is a gap, and is read from its beginning', async (_what, change) => {
    const files = await fromBegin('a first line\n');
    await files.read();
    change();
    appendFileSync(path, 'c\n');
    const { lines, gaps } = await readAll(files);
    expect(lines.at(-1)).toBe('c');
    expect(gaps).toHaveLength(1);
    await files.close();
  });

  test('that is gone at a restart, or is another one of the same name, is not taken for it', async () => {
    const files = await fromBegin('a\n');
    await files.read();
    const position = files.position as LogPosition;
    await files.close();
    rmSync(path);
    writeFileSync(path, 'other\n');
    const again = follow();
    expect(await again.openAt(position)).toBe(false);
    expect((await readAll(again)).lines).toEqual(['other']);
    await again.close();
  });

  test('a line of more than a megabyte and bytes that are no text are gaps', async () => {
    const files = await fromBegin(`${'x'.repeat(1_500_000)}\nb\n\0\0\0\nc\n`);
    const { lines, gaps } = await readAll(files);
    expect(lines.at(-1)).toBe('c');
    expect(gaps).toHaveLength(2);
    await files.close();
  });
});
