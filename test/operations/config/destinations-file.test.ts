import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from '@jest/globals';
import { checkDestinations } from '../../../operations/config/destinations-file';
import { readConfig } from '../../../operations/config/config';
import { BUILT_IN_FILE } from '../../../domain/destinations/destination-rules';

const dir = mkdtempSync(join(tmpdir(), 'kurir-destinations-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const source = 'ours';
const DESTINATION = { name: 'kantor', title: 'Kantor', mx: ['mx.kantor.example'], per_minute: 5, source };
const REPLY = { name: 'busy', text: ['sibuk'], do: 'slow', minutes: 30, sample: '451 Sibuk', source };
const FILE = {
  destinations: [DESTINATION],
  others: { source },
  slowed_from: { per_minute: 60, source },
  replies: [REPLY],
};
const MTA = { KURIR_MTA_URL: 'smtp://127.0.0.1:25' };

test("Kurir's own rules are without a fault", () => {
  expect(checkDestinations(BUILT_IN_FILE)).toEqual({ rules: BUILT_IN_FILE });
});

describe('the rules of destinations', () => {
  const written = (text: string): string => {
    const file = join(dir, 'rules.json');
    writeFileSync(file, text);
    return file;
  };

  it("are Kurir's own with a sending server, and none with the sandbox or when they are off", () => {
    expect(readConfig(MTA).destinations).toBe(BUILT_IN_FILE);
    expect(readConfig({}).destinations).toBeNull();
    expect(readConfig({ ...MTA, KURIR_DESTINATION_RULES: 'off' }).destinations).toBeNull();
  });

  it('are those of a file, also with the sandbox', () => {
    const KURIR_DESTINATION_RULES = written(JSON.stringify(FILE));
    expect(readConfig({ KURIR_DESTINATION_RULES }).destinations).toEqual(FILE);
  });

  it.each([
    ['no JSON', '{', /names a file that is not JSON/],
    ['another form', '{}', /"destinations" is required/],
  ])('refuse a file of %s at the start', (_what, text, fault) => {
    expect(() => readConfig({ ...MTA, KURIR_DESTINATION_RULES: written(text) })).toThrow(fault);
  });

  it('refuse a file that is missing', () => {
    expect(() => readConfig({ KURIR_DESTINATION_RULES: join(dir, 'none') })).toThrow(/names a file that is missing/);
  });

  it.each([
    ['a name with a dot', { destinations: [{ ...DESTINATION, name: 'a.b' }] }, /"destinations\[0\].name"/],
    ['a limit of nothing', { destinations: [{ ...DESTINATION, per_minute: 0 }] }, /per_minute" must be greater/],
    ['no source', { destinations: [{ ...DESTINATION, source: undefined }] }, /"destinations\[0\].source" is required/],
    [
      'one host twice',
      { destinations: [DESTINATION, { ...DESTINATION, name: 'dua' }] },
      /"mx" of dua contains mx.kantor.example, which is already in kantor/,
    ],
    ['a reply to nobody', { replies: [{ ...REPLY, destination: 'jauh' }] }, /"destination" jauh/],
    ['a reply for no time', { replies: [{ ...REPLY, minutes: 0 }] }, /"replies\[0\].minutes"/],
    [
      'a reply without a condition',
      { replies: [{ ...REPLY, text: undefined }] },
      /at least one of \[code, text, class\]/,
    ],
    [
      'a sample of another rule',
      { replies: [REPLY, { ...REPLY, name: 'two', text: ['penuh'] }] },
      /"sample" of the reply rule two does not match it, but busy/,
    ],
  ])('refuse %s', (_what, change, fault) => {
    const { fault: found } = checkDestinations({ ...FILE, ...change }) as { fault: string };
    expect(found).toMatch(fault);
  });
});

test.each(['1.1.1', 'dns.example', '1.1.1.1 9.9.9.9'])('KURIR_DNS refuses %s', (servers) => {
  expect(() => readConfig({ KURIR_DNS: servers })).toThrow(/KURIR_DNS must be IP addresses/);
});

test.each([
  ['', []],
  ['1.1.1.1, [::1]:5353', ['1.1.1.1', '[::1]:5353']],
  ['off', null],
])('KURIR_DNS %j is %j', (KURIR_DNS, dns) => expect(readConfig({ KURIR_DNS }).dns).toEqual(dns));
