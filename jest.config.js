const { readdirSync } = require('node:fs');
const { basename } = require('node:path');

/**
 * Packages that have no CommonJS form, or import on demand (mongodb), as far as the tests load them. No other is transformed,
 * since that takes its time.
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
  'mongodb',
  'strnum',
  'xml-naming',
];

/** What is loaded only when it is used: the command line's commands, and the cluster engine. */
const LAZY = [
  ...['cluster-host', 'cluster-admin', 'open-cluster', 'open-cluster-audit', 'open-cluster-personal-data'],
  ...readdirSync(`${__dirname}/cli`).map((name) => basename(name, '.ts')),
  'support/command',
];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/leaks/environment.ts',
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: { '^.+\\.(t|j|mj)s$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/node_modules/)?(?:${TRANSFORMED.join('|')})/)`],
  // A dynamic import names the file that would be there when compiled.
  moduleNameMapper: {
    [`^(\\.{1,2}/(?:${LAZY.join('|')}))\\.js$`]: '$1',
  },
  maxWorkers: 2,
  // Only what hangs takes so long: a busy machine is no failure.
  testTimeout: 240_000,
};
