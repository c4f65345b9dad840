import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realFolder, scratchFolder } from '../../../proof/prove/scratch';

it.each([
  ['worlds', 'kurir-prove', scratchFolder],
  ['installations on real files', 'kurir-real', realFolder],
])('deletes the folders of %s whose process is gone, and no other', (_of, name, make) => {
  const gone = spawnSync(process.execPath, ['--version']).pid;
  const first = make();
  const left = join(dirname(first), `${name}-${gone}-left`);
  mkdirSync(join(left, 'seed-1'), { recursive: true });
  const second = make();
  expect([left, first, second].map((folder) => existsSync(folder))).toEqual([false, true, true]);
  for (const folder of [first, second]) rmSync(folder, { recursive: true });
});
