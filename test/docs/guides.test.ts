import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { freePorts } from '../../proof/crash/free-ports';
import { signedHeaders } from '../../operations/webhooks/client/sign';
import { Running } from '../support/running';
import { codeBlocks, readDocument, ROOT } from './markdown';

const run = promisify(execFile);
const SECRET = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5lM7n';
const BODY = Buffer.from('{"event":"open","message_id":"m-1","metadata":{"nama":"é 🌧"}}');
const signed = (at = Date.now()): Record<string, string> =>
  signedHeaders({ secret: SECRET, id: 'whd_1', at, body: BODY });

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
/** Only where the interpreter is: the program does not need it. */
function itWith(command: string): (name: string, test: () => Promise<void>) => void {
  return isInstalled(command) ? it : () => undefined;
}

const dir = mkdtempSync(join(tmpdir(), 'kurir-guides-'));
let running: Running;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  running = await Running.start();
  env = { ...process.env, KURIR_URL: running.kurir.baseUrl, KURIR_KEY: running.demo.api_key };
});
afterAll(async () => {
  await running.stop();
  rmSync(dir, { recursive: true, force: true });
});

describe('docs/clients.md', () => {
  const [send = '', receive = ''] = codeBlocks(readDocument('docs/clients.md'), 'js');
  beforeAll(() => {
    const folder = join(dir, 'node_modules/kurir-client');
    mkdirSync(folder, { recursive: true });
    // Without its types; npm run clients builds it with them.
    const src = join(ROOT, 'clients/typescript/src');
    const contents = `export { KurirClient as Kurir, KurirError } from '${src}/client'; export * from '${src}/webhooks';`;
    const stdin = { contents, resolveDir: ROOT };
    buildSync({ stdin, bundle: true, platform: 'node', format: 'cjs', outfile: join(folder, 'index.js') });
  });

  it('the first snippet sends a mail once, reads it and names what is wrong with another', async () => {
    writeFileSync(join(dir, 'send.js'), send);
    const play = async () => (await run(process.execPath, [join(dir, 'send.js')], { env })).stdout.split('\n');
    const [first = '', second = ''] = await play();
    expect(first).toMatch(/^[0-9a-f-]{36} (queued|sending|sent_to_mta|delivered)$/);
    expect(second).toContain("recipient_malformed [ 'The to field must be a valid email address.' ]");
    expect((await play())[0]?.slice(0, 36)).toBe(first.slice(0, 36));
  });

  it('the second snippet takes genuine webhooks, and no others', async () => {
    const [port = 0] = await freePorts(1);
    writeFileSync(join(dir, 'receive.js'), receive);
    const receiver = spawn(process.execPath, [join(dir, 'receive.js')], {
      env: { ...env, WEBHOOK_SECRET: SECRET, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const post = (headers: Record<string, string>): Promise<number> => postUntilUp(receiver, port, headers);
      expect(await post(signed())).toBe(204);
      expect(await post({ ...signed(), 'webhook-signature': 'v1,AAAA' })).toBe(400);
      expect(await post(signed(Date.now() - 400_000))).toBe(400);
    } finally {
      const ended = once(receiver, 'exit');
      receiver.kill();
      await ended;
    }
  });
});

async function postUntilUp(receiver: ChildProcess, port: number, headers: Record<string, string>): Promise<number> {
  for (;;) {
    try {
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: BODY })).status;
    } catch (error) {
      if (receiver.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

describe('docs/django.md', () => {
  const [library = '', ...views] = codeBlocks(readDocument('docs/django.md'), 'python');

  itWith('python3')('kurir.py sends a mail once for a key, and raises with the reason of a refusal', async () => {
    writeFileSync(join(dir, 'kurir.py'), library);
    const program = `import kurir
mail = dict(to="delivered@example.test", subject="Struk", html="<p>Hi</p>", sending_domain_id=1)
print(kurir.send("receipt-1-django", **mail) == kurir.send("receipt-1-django", **mail))
try:
    kurir.send("receipt-2-django", **{**mail, "subject": ""})
except kurir.KurirError as error:
    print(error.status, error.code, error.errors["subject"][0])`;
    const { stdout } = await run('python3', ['-c', program], { env, cwd: dir });
    expect(stdout).toBe('True\n422 validation_failed The subject field is required.\n');
  });

  itWith('python3')('kurir.py verifies webhooks', async () => {
    writeFileSync(join(dir, 'kurir.py'), library);
    const program = `import json, sys, kurir
asked = json.load(sys.stdin)
for headers in asked["headers"]:
    event = kurir.verify(asked["secret"], asked["body"].encode(), headers)
    print(event and event["message_id"])`;
    const forged = { ...signed(), 'webhook-signature': 'v1,AAAA' };
    const headers = [signed(), forged, signed(Date.now() - 400_000), {}, { ...signed(), 'webhook-timestamp': '²' }];
    const asked = JSON.stringify({ secret: SECRET, body: BODY.toString(), headers });
    const done = run('python3', ['-c', program], { env, cwd: dir });
    done.child.stdin?.end(asked);
    expect((await done).stdout).toBe('m-1\nNone\nNone\nNone\nNone\n');
  });

  itWith('python3')('the pieces for Django are valid Python', async () => {
    expect(views).toHaveLength(2);
    for (const code of views) await run('python3', ['-c', `compile(${JSON.stringify(code)}, "view", "exec")`]);
  });
});

describe('docs/laravel.md', () => {
  const snippets = codeBlocks(readDocument('docs/laravel.md'), 'php');

  itWith('php')('every piece is valid PHP', async () => {
    expect(snippets).toHaveLength(4);
    for (const [n, code] of snippets.entries()) {
      const file = join(dir, `laravel-${n}.php`);
      writeFileSync(file, code);
      await run('php', ['-l', file]);
    }
  });

  itWith('php')('kurir_webhook verifies webhooks', async () => {
    const verify = snippets.find((code) => code.includes('function kurir_webhook')) ?? '';
    const asked = {
      body: BODY.toString(),
      headers: [signed(), { ...signed(), 'webhook-signature': 'v1,AAAA' }, signed(Date.now() - 400_000), {}],
    };
    const program = `${verify.replace(/^<\?php/, '')}
$asked = json_decode(file_get_contents('php://stdin'), true);
foreach ($asked['headers'] as $headers) {
    echo json_encode(kurir_webhook('${SECRET}', $asked['body'], $headers)['message_id'] ?? null), "\\n";
}`;
    const done = run('php', ['-r', program]);
    done.child.stdin?.end(JSON.stringify(asked));
    expect((await done).stdout).toBe('"m-1"\nnull\nnull\nnull\n');
  });
});

describe('docs/n8n.md', () => {
  const document = readDocument('docs/n8n.md');

  interface Workflow {
    nodes: {
      parameters: {
        method: string;
        url: string;
        headerParameters: { parameters: { name: string; value: string }[] };
        jsonBody: string;
      };
    }[];
  }

  /** The value of an expression of n8n. */
  function evaluate(text: string, item: object): unknown {
    const code = /^=\{\{(.*)\}\}$/s.exec(text)?.[1] ?? '';
    return runInNewContext(`(${code})`, { $json: item });
  }

  test('the node of the workflow sends a mail', async () => {
    const { nodes } = JSON.parse(codeBlocks(document, 'json')[0] ?? '') as Workflow;
    const { method, url, headerParameters, jsonBody } = nodes[0]!.parameters;
    const item = { email: 'delivered@example.test', order: 'n8n-1' };
    const headers = headerParameters.parameters.map(
      ({ name, value }) => [name, String(evaluate(value, item))] as const,
    );
    const send = () =>
      fetch(url.replace('https://mail.example.com/v1', running.kurir.baseUrl), {
        method,
        headers: {
          ...Object.fromEntries(headers),
          authorization: `Bearer ${running.demo.api_key}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(evaluate(jsonBody, item)),
      });
    expect([(await send()).status, (await send()).status]).toEqual([201, 200]);
  });

  test('the code node verifies webhooks', () => {
    const code = codeBlocks(document, 'js')[0] ?? '';
    const play = (headers: Record<string, string>): unknown => {
      const item = { json: { headers }, binary: { data: { data: BODY.toString('base64') } } };
      const given = { $input: { first: () => item }, $vars: { KURIR_WEBHOOK_SECRET: SECRET }, require, Buffer, Error };
      return runInNewContext(`(() => {${code}})()`, given);
    };
    expect(play(signed())).toEqual([{ json: expect.objectContaining({ id: 'whd_1', message_id: 'm-1' }) as unknown }]);
    expect(() => play({ ...signed(), 'webhook-signature': 'v1,AAAA' })).toThrow('not from Kurir');
    expect(() => play(signed(Date.now() - 400_000))).toThrow('not from Kurir');
  });
});
