// After a night without a failure: notes in docs/testing.md which commit it was, and when.
const { execFileSync } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const page = join(__dirname, '../../../docs/testing.md');
const LINE = /^The night last ran green at .*$/m;

const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: __dirname, encoding: 'utf8' }).trim();
const day = new Date().toISOString().slice(0, 10);
const text = readFileSync(page, 'utf8');
if (!LINE.test(text)) throw new Error(`${page} has no line for the last green night`);
writeFileSync(page, text.replace(LINE, `The night last ran green at \`${commit}\`, on ${day}.`));
