// After a whole run: writes the durations of its files to test/durations.json, and prints the 30 longest as a table.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { KEPT, MEASURED, read, root, write } = require('./kept');

const SHOWN = 30;

const there = Object.entries(read(MEASURED)).filter(([file]) => existsSync(join(root, file)));
write(KEPT, Object.fromEntries(there));
const total = there.reduce((sum, [, seconds]) => sum + seconds, 0);
const longest = there.sort(([, a], [, b]) => b - a).slice(0, SHOWN);
for (const [file, seconds] of longest) console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
console.log(`${total.toFixed(1).padStart(8)} s  all ${there.length} files`);
