// Builds the client into dist/: types from the OpenAPI document of a running Kurir, and the compiled sources. node
//   build.mjs [document] [folder] document: an address or a file; default http://127.0.0.1:8080/v1/openapi.json Run
//   `npm ci` in the root of the repository first: the tools are there.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const here = dirname(fileURLToPath(import.meta.url));
const [document = 'http://127.0.0.1:8080/v1/openapi.json', out = join(here, 'dist')] = process.argv.slice(2);

const INDEX = `import { KurirClient } from './client';
import type { paths } from './openapi';

export { KurirError, type ClientOptions } from './client';
export { verifyWebhook, WebhookError, type ReceivedWebhook, type VerifyOptions } from './webhooks';
export type { components, paths } from './openapi';

/** A client of the API as its document describes it. */
export class Kurir extends KurirClient<paths> {}
`;

async function read(source) {
  if (!/^https?:/.test(source)) return JSON.parse(readFileSync(source, 'utf8'));
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source} answered ${response.status}.`);
  return response.json();
}

const sources = mkdtempSync(join(here, '.build-'));
try {
  cpSync(join(here, 'src'), sources, { recursive: true });
  writeFileSync(join(sources, 'openapi.ts'), astToString(await openapiTS(await read(document))));
  writeFileSync(join(sources, 'index.ts'), INDEX);
  const folder = resolve(out);
  mkdirSync(folder, { recursive: true });
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = ['--target', 'es2023', '--lib', 'es2023,dom', '--module', 'node20'];
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = ['--ignoreConfig', '--declaration', '--rootDir', sources, '--outDir', folder, ...strict, ...target];
  execFileSync(process.execPath, [compiler, ...options, join(sources, 'index.ts')], { stdio: 'inherit' });
} finally {
  rmSync(sources, { recursive: true, force: true });
}
