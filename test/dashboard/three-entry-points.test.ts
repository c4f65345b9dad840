import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NOT_SCREENS } from '../../dashboard/not-screens';
import { allOperations } from '../../operations/catalogue';

const FOLDER = join(__dirname, '../../dashboard');
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'not-screens.ts')
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'));

/** True if a screen performs the operation by its value: `dead-letters.redrive` is `DEAD_LETTERS.redrive`. */
function isPerformed(operation: string): boolean {
  const [group = '', name = group] = operation.split('.');
  const key = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const value = new RegExp(`(?<!typeof )\\b${group.toUpperCase().replaceAll('-', '_')}\\.${key}\\b`);
  return FILES.some((text) => value.test(text));
}

describe('every operation', () => {
  it('is performed by a screen, or named with the reason why none does it', async () => {
    const others = (await allOperations()).map(({ name }) => name).filter((name) => !isPerformed(name));
    expect(others.sort()).toEqual(Object.keys(NOT_SCREENS).sort());
  });
});
