import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Koa, { type Middleware } from 'koa';
import request from 'supertest';
import { createInboxRouter } from '../../sandbox/inbox';
import { sinceText } from '../../sandbox/page';
import type { Sandbox } from '../../sandbox/sandbox';
import { type Client, envelope, openSandbox, simpleMail } from './support';

let opened: Awaited<ReturnType<typeof openSandbox>>;
let sandbox: Sandbox;
let client: Client;
let app: ReturnType<Koa['callback']>;

beforeEach(async () => {
  opened = await openSandbox();
  ({ sandbox, client } = opened);
  app = new Koa().use(createInboxRouter(sandbox).routes() as Middleware).callback();
});
afterEach(() => opened.close());

const get = (path: string) => request(app).get(`/sandbox/inbox${path}`);

describe('the page of a mail', () => {
  const at = async (path: string): Promise<string> => {
    await client.send(envelope('complaint@b.example'), simpleMail('0194-a'));
    await sandbox.idle();
    return (await get(path)).text;
  };
  const order = (page: string, ...parts: string[]): number[] => parts.map((part) => page.indexOf(part));

  test('shows the content first, then what is known of the mail, and at the end how to delete it', async () => {
    const found = order(
      await at('/1'),
      '<h2>',
      '/1/source"',
      '<h3>Message</h3>',
      'Return path',
      'class="danger small"',
    );
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found).not.toContain(-1);
  });

  test('says of each report how long after the hand-off it came, and what its badges mean', async () => {
    const page = await at('/1');
    expect(page).toMatch(/<strong>delivered<\/strong> <span class="badge \w+">\w+<\/span>\s*<span class="since">\+\d/);
    expect(page).toContain('a report of the sandbox: sent, pending (not sent yet), or refused by the service');
  });

  test('has a legend in the list, too: status of the message and report of the sandbox', async () => {
    const page = await at('');
    expect(page).toMatch(/badge status">filled<\/span> status of the message[^]*outlined<\/span> report/);
    expect((await get('?show=refused')).text).not.toContain('class="legend"');
  });

  test.each([
    [0, '+0.000 s'],
    [-165, '-0.165 s'],
    [9_999, '+9.999 s'],
    [59_999, '+59.9 s'],
    [185_000, '+3 min 5 s'],
    [7_260_000, '+2 h 1 min'],
  ])('%s ms are written %s', (ms, text) => expect(sinceText(ms)).toBe(text));
});
