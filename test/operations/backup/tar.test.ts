import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { padding, readTarHeader, TAR_END, tarHeader } from '../../../operations/backup/tar';
import { temporaryDir } from '../../support/running';

describe('a tar header', () => {
  it.each([0, 1, 511, 512, 8 ** 11 - 1, 8 ** 11, 1e13])('keeps a name and %d bytes', (size) => {
    const entry = { name: 'kurir.sqlite', size };
    expect(readTarHeader(tarHeader(entry, 1_700_000_000))).toEqual(entry);
  });

  it('is none when a bit of it changed, and the end of the archive when it is empty', () => {
    const header = tarHeader({ name: 'a', size: 1 }, 0);
    header[200] = 1;
    expect(() => readTarHeader(header)).toThrow(RangeError);
    expect(readTarHeader(TAR_END.subarray(0, 512))).toBeNull();
  });

  it('is read by tar, with mode 0600', () => {
    const dir = temporaryDir();
    const content = Buffer.from('Halo\n');
    const archive = [tarHeader({ name: 'halo.txt', size: 5 }, 0), content, Buffer.alloc(padding(5)), TAR_END];
    writeFileSync(join(dir, 'a.tar'), Buffer.concat(archive));
    const listed = execFileSync('tar', ['tvf', join(dir, 'a.tar')], { encoding: 'utf8' });
    const text = execFileSync('tar', ['xOf', join(dir, 'a.tar'), 'halo.txt'], { encoding: 'utf8' });
    rmSync(dir, { recursive: true });
    expect(listed).toMatch(/^-rw------- .* 5 .* halo\.txt\n$/);
    expect(text).toBe('Halo\n');
  });
});
