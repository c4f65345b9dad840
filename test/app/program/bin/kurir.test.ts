import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { rmSync, statSync, utimesSync } from 'node:fs';
import { SmallProject } from '../../../support/small-project';

/** What the launcher compares with the build: files, and the folders that change when one of them goes. */
const SOURCES = [
  'domain/name.ts',
  'domain',
  'app/program/bin/kurir.js',
  'app/program/kurir.ts',
  'app/program/bin',
  'app/program',
  'app',
];

describe('app/program/bin/kurir.js', () => {
  let project: SmallProject;
  beforeEach(() => {
    project = new SmallProject({
      'app/program/kurir.ts': `import { name } from '../../domain/name';\nconsole.log(name, ...process.argv.slice(2));\n`,
      'domain/name.ts': `export const name = 'first';\n`,
    });
  });
  afterEach(() => project.remove());

  const built = (): number => statSync(project.file('dist/kurir.js')).mtimeMs;

  /** Makes a path as if it was changed so many seconds after (or before) now. */
  function touch(name: string, seconds: number): void {
    const time = Date.now() / 1_000 + seconds;
    utimesSync(project.file(name), time, time);
  }

  /** Makes everything look an hour old, and the build younger than the sources. */
  function settle(): void {
    for (const name of [...SOURCES, 'package.json']) touch(name, -3_600);
    touch('dist/kurir.js', -1_800);
  }

  test('builds the program when there is none, and hands the arguments on', () => {
    expect(project.run('app/program/bin/kurir.js', 'a', '--b')).toEqual({ code: 0, out: 'first a --b\n', err: '' });
  });

  test('runs a build that is up to date as it is', () => {
    project.run('app/program/bin/kurir.js');
    settle();
    const before = built();
    expect(project.run('app/program/bin/kurir.js').out).toBe('first\n');
    expect(built()).toBe(before);
  });

  test('builds again when a source was changed, or one was removed', () => {
    project.run('app/program/bin/kurir.js');
    settle();
    project.write('domain/name.ts', `export const name = 'second';\n`);
    touch('domain', -3_600);
    expect(project.run('app/program/bin/kurir.js').out).toBe('second\n');
    settle();
    const before = built();
    project.write('domain/other.ts', '');
    touch('domain/other.ts', -3_600);
    rmSync(project.file('domain/other.ts'));
    project.run('app/program/bin/kurir.js');
    expect(built()).toBeGreaterThan(before);
  });

  test('runs a finished build where no sources are, as in an image', () => {
    project.run('app/program/bin/kurir.js');
    for (const folder of ['app/program/kurir.ts', 'domain', 'packaging/build.mjs'])
      rmSync(project.file(folder), { recursive: true });
    expect(project.run('app/program/bin/kurir.js', 'x')).toEqual({ code: 0, out: 'first x\n', err: '' });
  });

  test('does not run an old program when the build fails', () => {
    project.run('app/program/bin/kurir.js');
    settle();
    project.write('domain/name.ts', 'export const name = ;\n');
    const { code, out, err } = project.run('app/program/bin/kurir.js');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('domain/name.ts:1:20');
  });

  test('a stack trace names the line of the source', () => {
    project.write('app/program/kurir.ts', `\n\nthrow new Error('boom');\n`);
    expect(project.run('app/program/bin/kurir.js').err).toMatch(/Error: boom\n\s+at .*app\/program\/kurir\.ts:3:7/);
  });
});
