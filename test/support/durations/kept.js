const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const root = join(__dirname, '../../..');
/** Seconds of each test file in the last whole run, as committed: the order of the next one. */
const KEPT = join(root, 'test/durations.json');
/** The same of the runs of this clone, whatever they ran. */
const MEASURED = join(root, 'node_modules/.cache/kurir/durations.json');

const read = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
};

const write = (file, durations) => {
  mkdirSync(dirname(file), { recursive: true });
  const sorted = Object.fromEntries(Object.entries(durations).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
};

module.exports = { root, KEPT, MEASURED, read, write };
