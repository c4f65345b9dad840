import { expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDir } from '../../../operations/installation/data-dir';

it('a data dir is made with the folders above it', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-test-'));
  try {
    openDataDir(join(dir, 'a', 'b')).release();
    expect(existsSync(join(dir, 'a', 'b'))).toBe(true);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

it('one that cannot be written fails at once, with its name: below a file, and where Node itself tries for ever', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-test-'));
  try {
    writeFileSync(join(dir, 'file'), '');
    for (const path of [join(dir, 'file'), join(dir, 'file', 'data'), '/proc/kurir/data']) {
      expect(() => openDataDir(path)).toThrow(`The data directory ${path} (KURIR_DATA_DIR) cannot be written: `);
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
});
