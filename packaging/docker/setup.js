'use strict';
// Makes the master secret of the cluster, before its first start: node packaging/docker/setup.js <file>. KURIR_SECRET
// sets it; otherwise it is random. A later start finds it and changes nothing.
const { randomBytes } = require('node:crypto');
const { existsSync, linkSync, readFileSync, rmSync, writeFileSync } = require('node:fs');

const file = process.argv[2];
const wanted = (process.env.KURIR_SECRET ?? '').trim();

/** A line on a terminal; in the log of a container a record like those of the program. */
function say(stream, level, msg) {
  const record = { level, time: new Date().toISOString(), pid: process.pid, msg };
  stream.write(`${stream.isTTY ? msg : JSON.stringify(record)}\n`);
}

function fail(message) {
  say(process.stderr, 60, message);
  process.exit(1);
}

if (!file) fail('Usage: node packaging/docker/setup.js <file>');
if (wanted && wanted.length < 32) fail('KURIR_SECRET must have at least 32 characters.');
if (!existsSync(file)) {
  // Linked once it is complete: a start that is cut off leaves no half secret.
  const temporary = `${file}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${wanted || randomBytes(48).toString('base64url')}\n`, { mode: 0o400, flush: true });
  linkSync(temporary, file);
  rmSync(temporary);
  say(
    process.stdout,
    30,
    `The master secret is in ${file}: keep a copy of it, because the data cannot be read without it.`,
  );
} else if (wanted && wanted !== readFileSync(file, 'utf8').trim()) {
  fail(
    `KURIR_SECRET does not match the master secret in ${file} that the data was created with: unset it, or set it to that secret.`,
  );
}
