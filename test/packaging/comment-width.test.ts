import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const words = (count: number): string => 'word '.repeat(count).trim();
const LONG = words(30);
const WRAPPED = [words(23), words(7)] as const;

/** Lints a script as `npm run lint` does. */
function lint(lines: readonly string[]): { output: readonly string[]; left: readonly string[] } {
  const argv = ['--stdin', '--stdin-filename', 'packaging/sample.mjs', '--fix-dry-run', '--format', 'json'];
  const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/eslint/bin/eslint.js'), ...argv], {
    cwd: ROOT,
    input: lines.join('\n'),
    encoding: 'utf8',
  });
  const [{ output, messages }] = JSON.parse(stdout) as [{ output?: string; messages: { message: string }[] }];
  return { output: output?.split('\n') ?? lines, left: messages.map(({ message }) => message) };
}

it('a line of a comment has at most 120 columns; the fix wraps its paragraph and leaves the others', () => {
  const { output, left } = lint([
    `/** ${LONG} */`,
    '/**',
    ' * Short.',
    ' *',
    ` * - ${LONG}`,
    ' *   and its end',
    ' * - next',
    ' */',
    `// ${LONG}`,
    '// and its end',
    'export const a = 1;',
  ]);
  expect(output).toEqual([
    ...['/**', ` * ${WRAPPED[0]}`, ` * ${WRAPPED[1]}`, ' */'],
    ...['/**', ' * Short.', ' *', ` * - ${WRAPPED[0]}`, ` *   ${WRAPPED[1]} and its end`, ' * - next', ' */'],
    ...[`// ${WRAPPED[0]}`, `// ${WRAPPED[1]} and its end`],
    'export const a = 1;',
  ]);
  expect(left).toEqual([]);
});

it('what cannot be broken may be longer: a link, what a tool reads, a comment behind code', () => {
  const link = `https://kurir.test/${'a'.repeat(120)}`;
  const lines = [`// ${link}`, `// spec: ${LONG}`, `export const a = 1; // ${LONG}`];
  expect(lint(lines)).toEqual({ output: lines, left: [] });
});
