#!/usr/bin/env node
'use strict';
const { spawnSync } = require('node:child_process');
const { accessSync, constants, existsSync, readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../../..');
// The proof is a program of its own: safety devices can be broken in it.
const isProof = process.argv[2] === 'prove';
if (isProof) process.argv.splice(2, 1);
const program = join(root, 'dist', isProof ? 'prove.js' : 'kurir.js');
const builder = join(root, 'packaging', 'build.mjs');
const SOURCES = [
  'api',
  'app',
  'cli',
  'consumers',
  'dashboard',
  'domain',
  'email',
  'lib',
  'operations',
  'sandbox',
  'schemas',
  'smtp',
  'stores',
  'streams',
];

/** True when the file or anything below the folder was changed after `time`; what is not there was not. */
function changedSince(path, time) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  if (!stats.isDirectory()) return stats.mtimeMs > time;
  return stats.mtimeMs > time || readdirSync(path).some((name) => changedSince(join(path, name), time));
}

function isStale() {
  if (!existsSync(program)) return true;
  // An image has the finished build and no sources.
  if (!existsSync(builder)) return false;
  try {
    accessSync(join(root, 'dist'), constants.W_OK);
  } catch {
    return false; // An image with a finished build in a read-only folder.
  }
  const built = statSync(program).mtimeMs;
  return [...SOURCES, ...(isProof ? ['proof'] : []), 'package.json'].some((name) =>
    changedSince(join(root, name), built),
  );
}

if (isStale()) {
  const built = spawnSync(process.execPath, [builder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (built.status !== 0) process.exit(1);
}
require(program);
