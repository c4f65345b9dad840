import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const STORES = "import type { Stores } from '../stores/ports';";
const ADD = "export const add = operation('a.b', 'viewer', { handler: async () => ({}) });";

/** Files by name: their lines, and the names that are refused in them. */
const FILES: Readonly<Record<string, { lines: readonly string[]; refused: readonly string[] }>> = {
  'api/sample.ts': {
    lines: [
      STORES,
      'export const a = (s: Stores) => s.templates.delete(1, 2);',
      "export const b = (s: Pick<Stores['templates'], 'edit'>) => s.edit;",
      'export const c = ({ webhooks: { disable: off } }: Stores) => off(1);',
      'export const d = ({ suppressions }: Stores) => [1].map(suppressions.add);',
      "export const e = (s?: Stores) => s?.settings.set('a', 1);",
      "export const h = (s: Stores) => s.images['add'];",
      "export const i = ({ audiences: { 'create': make } }: Stores) => make;",
      'export const f = (s: Stores, m: Map<number, string>) => [s.webhooks.get(1), m.delete(1), m.set(2, "")];',
      'export const g = ({ templates: { list } }: Stores) => list(1);',
    ],
    refused: ['delete', 'edit', 'disable', 'add', 'set', 'add', 'create'],
  },
  'operations/declares.ts': {
    lines: [
      STORES,
      "import { operation } from './definition';",
      ADD,
      'export const a = (s: Stores) => s.templates.delete(1, 2);',
      'export const b = (s: Stores) => s.templates.get(1);',
    ],
    refused: ['delete'],
  },
  'operations/use-case.ts': {
    lines: [STORES, 'export const a = (s: Stores) => s.templates.delete(1, 2);'],
    refused: [],
  },
};

/** Lints each as `npm run lint` does, though it is no file. */
const SCRIPT = `
import { ESLint } from 'eslint';
const files = ${JSON.stringify(FILES)};
const parserOptions = { projectService: { allowDefaultProject: Object.keys(files) } };
const eslint = new ESLint({ overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions } } });
const nameOf = ({ fatal, ruleId, message }) =>
  fatal ? [message] : ruleId === 'kurir/no-store-writes' ? [message.split(' ')[0]] : [];
const all = [];
for (const [filePath, { lines }] of Object.entries(files)) {
  const [{ messages }] = await eslint.lintText(lines.join('\\n'), { filePath });
  all.push([filePath, messages.flatMap(nameOf)]);
}
console.log(JSON.stringify(Object.fromEntries(all)));
`;

test('an interface, and a file that declares operations, writes no store; a use case does', () => {
  const argv = ['--input-type=module', '-e', SCRIPT];
  const { stdout } = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' });
  const wanted = Object.entries(FILES).map(([name, { refused }]) => [name, refused]);
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(wanted));
});
