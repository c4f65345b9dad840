import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const PORTS = 'stores/ports';
const MAX = 10;

interface Declared {
  name: string;
  /** What it says between its name and the brace, such as `extends X`. */
  heritage: string;
  methods: string[];
}

/** The interfaces of a file, which Prettier has laid out: each member begins with two spaces. */
function interfacesOf(path: string): Declared[] {
  const source = readFileSync(join(ROOT, path), 'utf8');
  return [...source.matchAll(/^(?:export )?interface (\w+)(.*?)\{\n(.*?)^\}/gms)].map(
    ([, name = '', heritage = '', body = '']) => ({
      name,
      heritage: heritage.trim(),
      methods: [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??(?:<[^\n]*>)?(?:: )?\(/gm)].map(([, method]) => method!),
    }),
  );
}

describe('the ports', () => {
  const files = [...readdirSync(join(ROOT, PORTS)).map((name) => `${PORTS}/${name}`), 'streams/event-log.ts'];
  const ports = files.flatMap(interfacesOf).filter(({ methods }) => methods.length > 0);

  it('are read from the files that declare them', () => {
    const found = new Map(ports.map(({ name, methods }) => [name, methods.length]));
    expect(found.size).toBeGreaterThan(20);
    expect(ports.find(({ name }) => name === 'AuditSource')?.methods).toContain('snapshotWithLog');
    expect([found.get('LeaseStore'), ports.find(({ name }) => name === 'EventLog')?.methods[0]]).toEqual([
      7,
      'publish',
    ]);
  });

  it('have ten methods each at most, and none inherits more', () => {
    expect(ports.filter(({ methods, heritage }) => methods.length > MAX || heritage.includes('extends'))).toEqual([]);
  });
});
