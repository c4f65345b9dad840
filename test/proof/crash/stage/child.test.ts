import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child, type ChildOptions } from '../../../../proof/crash/stage/child';
import { Role } from '../../../../proof/crash/stage/role';
import { temporaryDir } from '../../../support/running';

const folder = realpathSync(temporaryDir());
const children: Child[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process that runs this code. */
function run(code: string, options: ChildOptions = {}, args: string[] = []): Child {
  const program = join(folder, 'program.js');
  writeFileSync(program, code);
  const child = new Child(program, args, options);
  children.push(child);
  return child;
}

const STAYS = 'setInterval(() => undefined, 1_000); console.log("here");';

describe('a program in a process of its own', () => {
  it('runs in its own folder, where no .env of a developer is, with the variables that it is given alone', async () => {
    const env = { ONLY: 'this' };
    const code = 'console.log(JSON.stringify([process.cwd(), Object.keys(process.env), process.argv.slice(2)]))';
    const child = run(code, { env }, ['a b', 'c']);
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(JSON.parse(child.printed)).toEqual([folder, ['ONLY'], ['a b', 'c']]);
  });

  it('keeps what it prints, as a whole and by where it went', async () => {
    const child = run('console.log("satu"); console.error("dua")');
    await child.ended;
    expect([child.stdout, child.stderr]).toEqual(['satu\n', 'dua\n']);
    expect(child.printed).toHaveLength(9);
  });

  it('is waited for until it prints a text, and rejects with its output when it ends before', async () => {
    const child = run(STAYS);
    await child.untilPrinted('here');
    await child.untilPrinted('here');
    expect(child.isAlive).toBe(true);
    const short = run('console.log("gone"); process.exit(3)');
    await expect(short.untilPrinted('here')).rejects.toThrow('ended with 3: gone\n');
  });

  it('ends by SIGKILL, by SIGTERM, and by SIGKILL when it does not heed that in time', async () => {
    const killed = run(STAYS);
    expect([await killed.kill(), await killed.kill()]).toEqual(Array(2).fill({ code: null, signal: 'SIGKILL' }));
    const stopped = run(`process.on('SIGTERM', () => process.exit(7)); ${STAYS}`);
    await stopped.untilPrinted('here');
    expect(await stopped.terminate()).toEqual({ code: 7, signal: null });
    const stubborn = run(`process.on('SIGTERM', () => undefined); ${STAYS}`);
    await stubborn.untilPrinted('here');
    expect(await stubborn.terminate(50)).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('stands still while it is frozen, and can be stopped in order all the same', async () => {
    const child = run(`process.on('SIGTERM', () => process.exit(7)); ${STAYS}`);
    await child.untilPrinted('here');
    child.freeze();
    expect([child.isFrozen, child.isAlive]).toEqual([true, true]);
    child.thaw();
    expect(child.isFrozen).toBe(false);
    child.freeze();
    expect(await child.terminate()).toEqual({ code: 7, signal: null });
  });

  it('that cannot be started has ended', async () => {
    const child = run(STAYS, { cwd: join(folder, 'missing') });
    await child.ended;
    await expect(child.untilPrinted('here')).rejects.toThrow('ended with');
  });
});

describe('a role', () => {
  it('is named in the arguments, with its options only where it has some: bench.js takes no other word', async () => {
    const program = join(folder, 'words.js');
    writeFileSync(program, 'console.log(JSON.stringify(process.argv.slice(2)))');
    const bare = new Role({ program, role: 'one' });
    const full = new Role({ program, role: 'one', options: { ahead: 1 } });
    await Promise.all([bare.ended, full.ended]);
    expect(JSON.parse(bare.printed)).toEqual(['--role', 'one']);
    expect(JSON.parse(full.printed)).toEqual(['--role', 'one', '{"ahead":1}']);
  });

  it('that ends before it serves calls is not ready, and answers none', async () => {
    const program = join(folder, 'role.js');
    writeFileSync(program, 'process.exit(2)');
    const role = new Role<{ ask: () => number }>({ program, role: 'one' });
    expect(await role.ready).toBe(false);
    await expect(role.call('ask', undefined)).rejects.toThrow('The process has ended.');
  });
});
