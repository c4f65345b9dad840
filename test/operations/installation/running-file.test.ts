import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openDataDir } from '../../../operations/installation/data-dir';
import { announceRunning, findRunning } from '../../../operations/installation/running-file';
import { temporaryDir } from '../../support/running';

const SERVICE = { pid: 1, version: '0.1.0', startedAt: 5, baseUrl: 'http://127.0.0.1:1/v1', ports: { http: 1 } };
let dir: string;
beforeEach(() => {
  dir = temporaryDir();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('running.json', () => {
  it('is believed while the lock of the data dir is held, and not after a kill left it behind', () => {
    expect(findRunning(dir)).toBeNull();
    const data = openDataDir(dir);
    expect(findRunning(dir)).toBe('unknown');
    const said = announceRunning(dir, SERVICE);
    expect(findRunning(dir)).toEqual(SERVICE);
    expect(statSync(join(dir, 'running.json')).mode & 0o077).toBe(0);
    data.release();
    expect(findRunning(dir)).toBeNull();
    said.withdraw();
    openDataDir(dir).release();
    expect(findRunning(dir)).toBeNull();
  });

  it('a look at the lock does not keep a service from starting', () => {
    openDataDir(dir).release();
    for (let n = 0; n < 50; n += 1) {
      expect(findRunning(dir)).toBeNull();
      openDataDir(dir).release();
    }
  });
});
