import { describe, expect, test } from '@jest/globals';
import { createContext, runInContext } from 'node:vm';
import { HOOK_SECRET, hookApp, signedSender } from '../api/mta-hook/hook-app';
import { codeBlocks, readDocument } from './markdown';

const document = readDocument('docs/mta-events.md');
const sampleOf = (text: string): string => text.replace('b-<id>-<signature>@bounce.melati.example', signedSender());

describe('docs/mta-events.md', () => {
  test('each sample is a refusal of the class that it says', async () => {
    const { post, published } = hookApp();
    const samples = codeBlocks(document, 'json').map(sampleOf);
    for (const sample of samples) await post(sample).expect(200, { received: 1, taken: 1, ignored: 0 });
    expect(published.map(({ feedback }) => [feedback.kind, feedback.class])).toEqual([
      ['bounced', 'address_unknown'],
      ['bounced', 'mailbox_full'],
    ]);
  });

  test('the plugin for Haraka posts what its hooks say', async () => {
    const { post, published } = hookApp();
    const sent: { body: string; authorization: string }[] = [];
    const fetch = async (_url: string, options: { body: string; headers: { authorization: string } }) => {
      sent.push({ body: options.body, authorization: options.headers.authorization });
      return { status: 200 };
    };
    const plugin = loadPlugin({ fetch, setTimeout, OK: 906 });
    const rcpt = {
      address: () => 'siti@toko.example',
      dsn_status: '5.1.1',
      dsn_smtp_response: '550 5.1.1 User unknown',
    };
    const hmail = { todo: { uuid: 'u', mail_from: { address: signedSender }, rcpt_to: [rcpt] } };
    const answers: unknown[] = [];
    const next = (answer?: unknown): void => void answers.push(answer);
    plugin.hook_deferred(next, hmail, { delay: 60, err: 'try later' });
    plugin.hook_delivered(next, hmail, ['mx', '192.0.2.1', '250 2.0.0 OK', 0.1]);
    plugin.hook_bounce(next, hmail, new Error('Some recipients failed'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(answers).toEqual([undefined, undefined, 906]);
    expect(new Set(sent.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${HOOK_SECRET}`]));
    for (const { body } of sent) await post(body).expect(200, { received: 1, taken: 1, ignored: 0 });
    expect(published.map(({ feedback }) => feedback.kind)).toEqual(['delayed', 'delivered', 'bounced']);
  });
});

type Hook = (next: (answer?: unknown) => void, hmail: object, params: unknown) => void;

interface Plugin {
  hook_deferred: Hook;
  hook_delivered: Hook;
  hook_bounce: Hook;
}

/** Loads the plugin as Haraka does: its globals, and `this` with its settings. */
function loadPlugin(globals: object): Plugin {
  const [code = ''] = codeBlocks(document, 'js');
  const exports: Plugin & { register?: () => void; config?: object } = {
    hook_deferred: missing,
    hook_delivered: missing,
    hook_bounce: missing,
  };
  runInContext(code, createContext({ ...globals, exports }));
  exports.config = { get: () => ({ main: { url: 'http://127.0.0.1:8080/hooks/mta', secret: HOOK_SECRET } }) };
  exports.register?.();
  return exports;
}

const missing: Hook = () => {
  throw new Error('the plugin has no such hook');
};
