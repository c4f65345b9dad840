import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NOT_SCREENS } from '../../dashboard/not-screens';
import { allOperations } from '../../operations/catalogue';

const ROOM = join(__dirname, '../../dashboard');
const FILES = readdirSync(ROOM, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'not-screens.ts')
  .map((name) => readFileSync(join(ROOM, name), 'utf8'));

/** True if a screen names the operation, whole or as `group.${name}` beside the name. */
function isPerformed(operation: string): boolean {
  const [group = '', name = ''] = operation.split(/\.(.*)/s);
  return FILES.some(
    (text) => text.includes(`'${operation}'`) || (text.includes(`\`${group}.\${`) && text.includes(`'${name}'`)),
  );
}

describe('every operation', () => {
  it('is performed by a screen, or named with the reason why none does it', async () => {
    const others = (await allOperations()).map(({ name }) => name).filter((name) => !isPerformed(name));
    expect(others.sort()).toEqual(Object.keys(NOT_SCREENS).sort());
  });
});
