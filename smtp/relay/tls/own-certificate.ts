import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CertificatePair } from '../../../lib/certificate';
import { checkPair } from '../../../lib/certificate';
import { selfSigned } from './self-signed';

const BLOCK = /-----BEGIN (CERTIFICATE|PRIVATE KEY)-----[^-]+-----END \1-----\n?/g;

/**
 * The certificate that Kurir makes for itself, kept with its key in one file of mode 0600. It is made when it is
 * missing or has ended by `now` (ms). Throws the errors of the file system, and an Error when the file holds something
 * else.
 */
export function readOrMakeOwnCertificate(
  file: string,
  names: readonly [string, ...string[]],
  now: number,
): CertificatePair {
  const kept = read(file);
  if (kept && checkPair(kept).validTo > now) return kept;
  if (kept) rmSync(file);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const made = selfSigned(names, now);
  // Of processes that share the folder the first one wins, and all take its certificate.
  writeOnce(file, `${made.cert}${made.key}`);
  return read(file) ?? made;
}

function read(file: string): CertificatePair | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const blocks = [...text.matchAll(BLOCK)];
  const of = (kind: string): string => blocks.find(([, found]) => found === kind)?.[0] ?? '';
  const pair = { cert: of('CERTIFICATE'), key: of('PRIVATE KEY') };
  if (pair.cert === '' || pair.key === '')
    throw new Error(
      `${file} does not contain a certificate with its key; delete it, and the next start creates a new one`,
    );
  return pair;
}

/** Whole or not at all, and never over another. */
function writeOnce(file: string, content: string): void {
  const temporary = `${file}.${process.pid}.new`;
  const descriptor = openSync(temporary, 'w', 0o600);
  try {
    writeSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary);
  }
}
