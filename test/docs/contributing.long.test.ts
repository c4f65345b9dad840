import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './markdown';
import type { Trial } from './try-consumer';
import { copyWithExample } from './worked-example';

const run = promisify(execFile);
const tool = (name: string, ...args: string[]): Promise<{ stdout: string }> =>
  run(process.execPath, [join(ROOT, 'node_modules', name), ...args]);

/** What a reader of the example would start. */
const ENTRY = `
import { createComplaintWatch } from './consumers/complaint-watch';
import { tryConsumer } from './test/docs/try-consumer';
void tryConsumer(createComplaintWatch).then((trial) => process.stdout.write(JSON.stringify(trial)));
`;

describe('the worked examples of CONTRIBUTING.md', () => {
  let folder: string;
  beforeAll(() => {
    folder = copyWithExample();
    writeFileSync(join(folder, 'entry.ts'), ENTRY);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('compile with the service they are put in', async () => {
    const config = { extends: './tsconfig.json', include: [], files: ['entry.ts', 'app/parts/role-parts.ts'] };
    writeFileSync(join(folder, 'tsconfig.example.json'), JSON.stringify(config));
    const errors = await tool('typescript/bin/tsc', '-p', join(folder, 'tsconfig.example.json')).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    expect(errors).toBe('');
  }, 120_000);

  test('of a consumer: it tells of the complaint on the embedded engine, drops the rest, and commits', async () => {
    const program = join(folder, 'entry.js');
    const flags = ['--bundle', '--platform=node', '--packages=external', '--log-level=error', `--outfile=${program}`];
    await tool('esbuild/bin/esbuild', join(folder, 'entry.ts'), ...flags);
    const { stdout } = await run(process.execPath, [program]);
    expect(JSON.parse(stdout) as Trial).toEqual({
      lines: [{ workspace: 'Melati', messageId: expect.any(String), text: 'a recipient complained' }],
      dropped: ['no complaint', 'no such workspace'],
      lag: 0,
    });
  }, 60_000);
});
