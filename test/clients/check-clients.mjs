// Generates a TypeScript and a Python client from the document of a running Kurir, builds that of clients/, compiles
// them, and has each send a mail. Needs python3, 3.11 or newer, with venv and pip. Prints what it does; exit code 1
// when a client fails.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const START_TIMEOUT = 60_000;

/** Runs a program to its end; what it printed is in the error when it fails. */
function run(program, args, { cwd = root, env = {} } = {}) {
  try {
    return execFileSync(program, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const printed = `${error.stdout ?? ''}${error.stderr ?? ''}` || error.message;
    throw new Error(`${program} ${args.join(' ')} failed.\n${printed}`, { cause: error });
  }
}

/** Starts Kurir with the embedded engine on free ports; resolves with what its first run wrote. */
async function start(dataDir) {
  const free = { HTTP: 0, BOUNCE: 0, SANDBOX: 0, SMTP: 0, SMTPS: 0, METRICS: 0 };
  const ports = Object.fromEntries(Object.entries(free).map(([name, port]) => [`KURIR_${name}_PORT`, String(port)]));
  const service = spawn(process.execPath, [join(root, 'dist/kurird.js')], {
    env: { PATH: process.env.PATH, KURIR_DATA_DIR: dataDir, KURIR_LOG_LEVEL: 'warn', ...ports },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const file = join(dataDir, 'first-run.json');
  for (let waited = 0; !existsSync(file); waited += 100) {
    if (service.exitCode !== null || waited > START_TIMEOUT) throw new Error('Kurir did not start.');
    await sleep(100);
  }
  return { service, firstRun: JSON.parse(readFileSync(file, 'utf8')) };
}

const COMPILER = join(root, 'node_modules/typescript/bin/tsc');
const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
const TARGET = ['--target', 'es2023', '--module', 'node20', '--types', 'node', '--skipLibCheck'];

function useClient(folder, name, env) {
  copyFileSync(join(here, `${name}.mts`), join(folder, `${name}.mts`));
  run(process.execPath, [COMPILER, '--ignoreConfig', ...STRICT, ...TARGET, `${name}.mts`], { cwd: folder });
  run(process.execPath, [`${name}.mjs`], { cwd: folder, env });
}

async function checkTypeScript(folder, document, env) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(document)));
  useClient(folder, 'use-client', env);
  console.log('TypeScript: generated, compiled, and a mail sent.');
}

/** The client of this repository, built and used as a package. */
function checkOwn(folder, env) {
  const own = join(root, 'clients/typescript');
  const installed = join(folder, 'node_modules/kurir-client');
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(own, 'package.json'), join(installed, 'package.json'));
  run(process.execPath, [join(own, 'build.mjs'), `${env.BASE_URL}/openapi.json`, join(installed, 'dist')]);
  useClient(folder, 'use-kurir-client', env);
  console.log('clients/typescript: built, compiled, and a mail sent.');
}

/** What the document has and the generated package has not: operations, and answers by status. */
function droppedBy(client, document) {
  const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, tags, responses }) => {
      const module = join(client, 'api', tags[0].toLowerCase(), `${snake(operationId)}.py`);
      const code = existsSync(module) ? readFileSync(module, 'utf8') : '';
      const missing = Object.keys(responses).filter((status) => !code.includes(`response_${status} = `));
      return missing.map((status) => `${operationId} ${status}`);
    }),
  );
}

function checkPython(folder, document, env) {
  mkdirSync(folder);
  const bin = join(folder, 'venv/bin');
  run('python3', ['-m', 'venv', join(folder, 'venv')]);
  run(join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', '-r', join(here, 'requirements.txt')]);
  const source = join(folder, 'openapi.json');
  writeFileSync(source, JSON.stringify(document));
  const generate = [
    'generate',
    '--path',
    source,
    '--output-path',
    'kurir_client',
    '--meta',
    'none',
    '--fail-on-warning',
  ];
  const withTools = { PATH: `${bin}:${process.env.PATH}` };
  const printed = run(join(bin, 'openapi-python-client'), generate, { cwd: folder, env: withTools });
  if (/warning|error|skipp|omitt/i.test(printed)) throw new Error(printed);
  const dropped = droppedBy(join(folder, 'kurir_client'), document);
  if (dropped.length > 0) throw new Error(`The Python client lacks ${dropped.join(', ')}.`);
  copyFileSync(join(here, 'use_client.py'), join(folder, 'use_client.py'));
  run(join(bin, 'python'), ['-m', 'compileall', '-q', 'kurir_client', 'use_client.py'], { cwd: folder });
  // Not client.py, which is the same for every document.
  const checked = ['use_client.py', 'kurir_client/api', 'kurir_client/models'];
  run(join(bin, 'mypy'), ['--strict', '--follow-imports=silent', ...checked], { cwd: folder });
  run(join(bin, 'python'), ['use_client.py'], { cwd: folder, env });
  console.log('Python: generated without a warning, compiled, and a mail sent.');
}

// Below the root, so that the client finds its packages.
mkdirSync(join(root, 'dist'), { recursive: true });
const folder = mkdtempSync(join(root, 'dist/clients-'));
let service;
try {
  run(process.execPath, [join(root, 'packaging/build.mjs')]);
  const started = await start(join(folder, 'data'));
  service = started.service;
  const { base_url: url, api_key: key, sending_domain_id: domain } = started.firstRun;
  const document = await (await fetch(`${url}/openapi.json`)).json();
  const env = { BASE_URL: url, API_KEY: key, DOMAIN_ID: String(domain) };
  await checkTypeScript(join(folder, 'ts'), document, env);
  checkOwn(join(folder, 'own'), env);
  checkPython(join(folder, 'python'), document, env);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  if (service?.exitCode === null) {
    service.kill();
    await once(service, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}
