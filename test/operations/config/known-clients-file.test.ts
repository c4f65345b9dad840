import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../operations/config/config';
import { ConfigError } from '../../../lib/config-error';

const dir = mkdtempSync(join(tmpdir(), 'kurir-clients-'));
const file = join(dir, 'clients.txt');
afterAll(() => rmSync(dir, { recursive: true }));

function faultsOf(text: string | null): readonly string[] {
  if (text !== null) writeFileSync(file, text);
  try {
    readConfig({ KURIR_KNOWN_CLIENTS: text === null ? join(dir, 'none') : file });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('KURIR_KNOWN_CLIENTS', () => {
  it('names a file whose agents and networks are added', () => {
    writeFileSync(file, '# ours\nagent scanner Kantor Filter\n');
    expect(readConfig({ KURIR_KNOWN_CLIENTS: file }).knownClients).toEqual([
      { class: 'scanner', agent: 'kantor filter', whole: false },
    ]);
  });

  it('is a fault at the start when the file is missing', () => {
    expect(faultsOf(null)).toEqual([`KURIR_KNOWN_CLIENTS names a file that is missing (is "${join(dir, 'none')}").`]);
  });

  it('says which lines are faulty, the first five of them', () => {
    expect(faultsOf('agent\n')).toEqual([
      `KURIR_KNOWN_CLIENTS names a file with an error: line 1 must be "agent" or "network", a class, and what to look for (is "${file}").`,
    ]);
    expect(faultsOf('agent\n'.repeat(7))).toHaveLength(6);
  });
});
