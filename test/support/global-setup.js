const { execFileSync } = require('node:child_process');
const { join } = require('node:path');
const { findServices } = require('./find-services');

/**
 * Before the first test is collected: bundles the programs, which tests run as processes and as threads, and finds the
 * servers of the cluster engine. The workers inherit the environment.
 */
module.exports = async () => {
  execFileSync(process.execPath, [join(__dirname, '../../packaging/build.mjs')], { stdio: 'inherit' });
  Object.assign(process.env, await findServices(process.env));
};
