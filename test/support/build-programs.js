const { execFileSync } = require('node:child_process');
const { join } = require('node:path');

/** Bundles the programs before the first test: tests run them as processes and as threads. */
module.exports = async () => {
  execFileSync(process.execPath, [join(__dirname, '../../scripts/build.mjs')], { stdio: 'inherit' });
};
