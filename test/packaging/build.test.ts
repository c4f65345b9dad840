import { afterEach, describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { SmallProject } from '../support/small-project';

const GREETING = `import { name } from './name';\nconst text: string = \`hello \${name}\`;\nconsole.log(text);\n`;

describe('packaging/build.mjs', () => {
  let project: SmallProject;
  afterEach(() => project.remove());

  test('bundles each program that exists, and prints nothing', () => {
    project = new SmallProject({
      'app/program/kurird.ts': GREETING,
      'app/program/name.ts': `export const name = 'kurird';`,
    });
    expect(project.run('packaging/build.mjs')).toEqual({ code: 0, out: '', err: '' });
    expect(project.run('dist/kurird.js').out).toBe('hello kurird\n');
    expect(existsSync(project.file('dist/kurir.js'))).toBe(false);
  });

  test('leaves nothing but programs, bundles and source maps behind', () => {
    project = new SmallProject({ 'app/program/kurir.ts': 'console.log(1);', 'proof/bench/main.ts': 'console.log(2);' });
    project.run('packaging/build.mjs');
    expect(readdirSync(project.file('dist')).sort()).toEqual([
      'bench.bundle.js',
      'bench.bundle.js.map',
      'bench.js',
      'kurir.bundle.js',
      'kurir.bundle.js.map',
      'kurir.js',
    ]);
  });

  test('a stack trace names the line of the source', () => {
    project = new SmallProject({
      'app/program/kurird.ts': `interface Unused {\n  a: number;\n}\n\nthrow new Error('boom');\n`,
    });
    project.run('packaging/build.mjs');
    expect(project.run('dist/kurird.js').err).toMatch(/Error: boom\n\s+at .*app\/program\/kurird\.ts:5:7/);
  });

  test('packages stay outside: they are loaded when the program runs', () => {
    project = new SmallProject({
      'app/program/kurird.ts': `import Joi from 'joi';\nconsole.log(Joi.isSchema(Joi.any()));\n`,
    });
    project.run('packaging/build.mjs');
    expect(readFileSync(project.file('dist/kurird.bundle.js'), 'utf8').length).toBeLessThan(5_000);
    expect(project.run('dist/kurird.js').out).toBe('true\n');
  });

  test('a fault in a source is shown with its place, exit code 1, and the last good build stays', () => {
    project = new SmallProject({ 'app/program/kurird.ts': `console.log('good');` });
    project.run('packaging/build.mjs');
    project.write('app/program/kurird.ts', `console.log('bad);`);
    const { code, out, err } = project.run('packaging/build.mjs');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('The build failed.');
    expect(err).toContain('app/program/kurird.ts:1:18');
    expect(project.run('dist/kurird.js').out).toBe('good\n');
  });
});
