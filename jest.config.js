const { readdirSync } = require('node:fs');
const { basename } = require('node:path');
const { patience, spare } = require('./test/support/limits.json');

/**
 * Packages that have no CommonJS form, or import on demand (mongodb), as far as the tests load them. No other is
 * transformed, since that takes its time.
 */
const TRANSFORMED = [
  '@nodable/entities',
  '@seriousme/openapi-schema-validator',
  'anynum',
  'dom-serializer',
  'domelementtype',
  'domhandler',
  'domutils',
  'entities',
  'get-port',
  'htmlparser2',
  'jose',
  'mongodb',
  'oauth4webapi',
  'openid-client',
  'strnum',
  'xml-naming',
];

/**
 * What is loaded only when it is used: the command line's commands, the cluster engine, and the HTTP client of
 * webhooks.
 */
const LAZY = [
  ...['cluster-host', 'cluster-admin', 'open-cluster', 'open-cluster-audit', 'open-cluster-personal-data'],
  ...['cli', 'operations'].flatMap((folder) =>
    readdirSync(`${__dirname}/${folder}`, { recursive: true }).map((name) => basename(name, '.ts')),
  ),
  'support/build',
  'connection',
];

/** The three gates of docs/testing.md, and what each leaves out. */
const LEFT_OUT = {
  quick: ['\\.long\\.test\\.ts$', '\\.night\\.test\\.ts$'],
  landing: ['\\.night\\.test\\.ts$'],
  night: [],
};

/** Where files are named on the command line, each of them runs. */
const NAMED = process.argv.slice(2).some((argument) => argument.includes('test/'));
const gate = process.env['KURIR_TEST_GATE'] ?? (NAMED ? 'landing' : 'quick');
if (!(gate in LEFT_OUT))
  throw new Error(`KURIR_TEST_GATE is "${gate}", not one of ${Object.keys(LEFT_OUT).join(', ')}.`);
Object.assign(process.env, { KURIR_TEST_GATE: gate, KURIR_TEST_NAMED: NAMED ? '1' : '0' });

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/leaks/environment.ts',
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...(NAMED ? [] : LEFT_OUT[gate])],
  testSequencer: '<rootDir>/test/support/durations/sequencer.js',
  reporters: ['default', '<rootDir>/test/support/durations/reporter.js'],
  transform: { '^.+\\.(t|j|mj)s$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/node_modules/)?(?:${TRANSFORMED.join('|')})/)`],
  // A dynamic import names the file that would be there when compiled.
  moduleNameMapper: {
    [`^(\\.{1,2}/(?:[a-z-]+/)*(?:${LAZY.join('|')}))\\.js$`]: '$1',
  },
  // More than the two cores: many tests wait, for leases, for a start, for a clock.
  maxWorkers: 3,
  // limitFor(1) of test/support/limits.ts: only what hangs takes so long, a busy machine is no failure.
  testTimeout: patience + spare,
};
