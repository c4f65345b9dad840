import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDir } from '../support/running';
import { readFirstRun, Service } from '../support/service';
import { codeBlocks, readDocument, ROOT } from './markdown';

const readme = readDocument('README.md');

/** What runs the snippets of each language, and the arguments before the code. */
const INTERPRETERS = {
  sh: ['sh', '-c'],
  js: [process.execPath, '-e'],
  python: ['python3', '-c'],
  php: ['php', '-r'],
} as const;

/** What this test reads of the OpenAPI document. */
interface Documented {
  paths: Record<
    '/messages' | '/templates',
    { post: { requestBody: { content: { 'application/json': { examples: Record<string, { value: object }> } } } } }
  >;
}

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Languages whose interpreter this machine has; the shell and Node are always there. */
const languages = (Object.keys(INTERPRETERS) as (keyof typeof INTERPRETERS)[]).filter((language) =>
  isInstalled(INTERPRETERS[language][0]),
);
const snippets = languages.flatMap((language) =>
  codeBlocks(readme, language)
    .filter((code) => code.includes('/v1/messages') && code.includes('order-'))
    .map((code) => ({ language, code })),
);

test('README.md has at most 130 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(130);
});

describe('the snippets of README.md', () => {
  const dir = temporaryDir();
  let service: Service;
  beforeAll(async () => {
    service = await Service.start(dir, {});
  });
  afterAll(async () => {
    await service.kill();
    rmSync(dir, { recursive: true, force: true });
  });

  test('are there in each language', () => {
    expect(snippets.map(({ language }) => language)).toEqual(languages);
  });

  test('the command line: every command succeeds', async () => {
    const [block = ''] = codeBlocks(readme, 'sh').filter((code) => code.includes('npx kurir domain add'));
    expect(block.trim().split('\n')).toHaveLength(5);
    const env = { ...process.env, KURIR_DATA_DIR: dir };
    const script = block.replaceAll('npx kurir', `"${process.execPath}" "${join(ROOT, 'app/program/bin/kurir.js')}"`);
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { env });
    expect(stdout).toContain('melati.example is active\n');
  });

  test('the examples of POST /messages at /docs are accepted', async () => {
    const { base_url: url, api_key: key } = readFirstRun(dir);
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as Documented;
    const { examples } = document.paths['/messages'].post.requestBody.content['application/json'];
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const post = (path: string, value: object): Promise<Response> =>
      fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(value) });
    const { template } = document.paths['/templates'].post.requestBody.content['application/json'].examples;
    const { id } = (await (await post('/templates', template!.value)).json()) as { id: number };
    for (const { value } of Object.values(examples)) {
      const answer = await post('/messages', 'template_id' in value ? { ...value, template_id: id } : value);
      expect([answer.status, await answer.json()]).toMatchObject([201, { status: 'queued' }]);
    }
  });

  test.each(snippets)('$language: queues a message, and the repeat is the same message', async ({ language, code }) => {
    const { base_url: url, api_key: key } = readFirstRun(dir);
    const [command, flag] = INTERPRETERS[language];
    const source = code.replaceAll('http://127.0.0.1:8080/v1', url).replace(/^<\?php/, '');
    const send = async (): Promise<string> => {
      const { stdout } = await promisify(execFile)(command, [flag, source], { env: { ...process.env, KEY: key } });
      return /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(stdout)?.[0] ?? stdout;
    };
    const first = await send();
    expect(code).toMatch(/sending_domain_id\W+2\b/);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(await send()).toBe(first);
  });
});
