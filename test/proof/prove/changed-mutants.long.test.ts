import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hunt, survivors } from './hunt';

const ROOT = join(__dirname, '../../..');
/** Hunted whatever changed, so that a hunt that finds nothing is never green. */
const ALWAYS = 'idempotency-key';

/** The list is a module of its own kind (.mjs), which Node reads here. */
function mutants(): { name: string; file: string }[] {
  const script = "import('./proof/mutants/mutants.mjs').then((list) => console.log(JSON.stringify(list.MUTANTS)))";
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' })) as {
    name: string;
    file: string;
  }[];
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** Files that changed since the night last ran green; null where that commit is not in this clone. */
function changed(): Set<string> | null {
  const page = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8');
  const commit = /^The night last ran green at `([0-9a-f]+)`/m.exec(page)?.[1];
  if (commit === undefined) throw new Error('docs/testing.md does not say when the night last ran green');
  try {
    return new Set(git('diff', '--name-only', commit).split('\n'));
  } catch {
    return null;
  }
}

it('the proof shows every safety device whose file changed since the last green night, when it is broken', async () => {
  const files = changed();
  const wanted = mutants().filter(({ name, file }) => name === ALWAYS || files === null || files.has(file));
  const { code, mutants: hunted, unclean } = await hunt(wanted.map(({ name }) => name));
  expect(unclean).toEqual([]);
  expect(hunted.map(({ name }) => name)).toEqual(wanted.map(({ name }) => name));
  expect(survivors(hunted)).toEqual([]);
  expect(code).toBe(0);
}, 1_200_000);
