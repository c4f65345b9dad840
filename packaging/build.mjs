// Bundles the programs into dist/. Prints nothing on success.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, formatMessages } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const PROGRAMS = {
  kurird: 'app/program/kurird.ts',
  'store-thread': 'stores/embedded/threaded/store-thread.ts',
  checkpointer: 'stores/embedded/threaded/checkpointer.ts',
  'query-worker': 'stores/embedded/threaded/query-worker.ts',
  'body-worker': 'api/http/body-worker.ts',
  'mail-worker': 'smtp/relay/mail/mail-worker.ts',
  'report-worker': 'smtp/reports/report-worker.ts',
  'compose-worker': 'email/composing/compose-worker.ts',
  kurir: 'app/program/kurir.ts',
  bench: 'proof/bench/main.ts',
  crash: 'proof/crash/main.ts',
  'shifted-clock': 'proof/crash/stage/shifted-clock.ts',
  fuzz: 'test/fuzz/main.ts',
};

const THREADS = new Set(Object.keys(PROGRAMS).filter((name) => /-worker$|-thread$|^checkpointer$/.test(name)));
/** Node writes the warnings of a thread past the streams of the process, which make records of what is printed. */
const WARN_BY_STDERR = `process.removeAllListeners('warning').on('warning', (warning) => process.stderr.write(String(warning) + '\\n'));
`;

/** Source maps only serve files that are loaded after they were switched on, hence a launcher beside each bundle. */
const launcher = (name) => `'use strict';
process.setSourceMapsEnabled(true);
${THREADS.has(name) ? WARN_BY_STDERR : ''}require('./${name}.bundle.js');
`;

/**
 * esbuild escapes what is not ASCII in text, but not in regular expressions. One character above Latin-1 makes V8 hold
 * the whole program in two bytes a character, in each thread that loads it.
 */
const ascii = (source) =>
  source.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes beside the file and renames, so that a program that starts meanwhile never reads half a file. */
async function replace(path, contents) {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`);
  await writeFile(temporary, contents);
  await rename(temporary, path);
}

/** The program of the proof, in which safety devices can be broken. */
const PROOF = { prove: 'proof/prove/main.ts' };

/** Bundles programs and returns their files. */
async function bundled(entries, plugins = []) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries.map(([name, entry]) => ({ in: entry, out: `${name}.bundle` })),
    plugins,
    outdir: 'dist',
    write: false,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
  });
  return outputFiles;
}

async function bundledProof(entries) {
  const { insertMutants } = await import('../proof/mutants/insert.mjs');
  return bundled(entries, [insertMutants(root)]);
}

async function bundle() {
  const there = (programs) => Object.entries(programs).filter(([, entry]) => existsSync(join(root, entry)));
  const [programs, proof] = [there(PROGRAMS), there(PROOF)];
  const files = (await Promise.all([bundled(programs), proof.length > 0 ? bundledProof(proof) : []])).flat();
  await mkdir(dist, { recursive: true });
  const launchers = [...programs, ...proof].map(([name]) => ({
    path: join(dist, `${name}.js`),
    contents: launcher(name),
  }));
  const bundles = files.map(({ path, text }) => ({
    path: resolve(path),
    contents: path.endsWith('.js') ? ascii(text) : text,
  }));
  for (const file of [...bundles, ...launchers]) await replace(file.path, file.contents);
}

try {
  await bundle();
} catch (error) {
  const lines = error.errors ? await formatMessages(error.errors, { kind: 'error', color: process.stderr.isTTY }) : [];
  console.error(['The build failed.', ...(lines.length > 0 ? lines : [error.message])].join('\n'));
  process.exitCode = 1;
}
