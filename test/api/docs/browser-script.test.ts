import { describe, expect, it } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { browserScript } from '../../../api/docs/browser-script';
import { apiDocument } from '../../../api/openapi/document';
import { routes } from '../../../api/routes';

const KEY = 'kurir_sk_key';

interface Bundle {
  spec: object;
  plugins: (() => { statePlugins: { auth: { wrapActions: { authorize: Wrap } } } })[];
}
type Wrap = (original: (entered: object) => object) => (entered: object) => object;
interface Request {
  body: { sending_domain_id: number; from_email?: string };
}

/** The page with the API's document, as it stands once it is loaded; `domains` answers GET /domains. */
async function openPage(domains: () => Promise<{ ok: boolean; json: () => Promise<unknown> }>) {
  const asked: unknown[] = [];
  let bundle: Bundle | undefined;
  let shown: object | undefined;
  const document = { baseURI: 'https://mail.example.com/docs', getElementById: () => ({}) };
  const fetch = (url: unknown, options: object) => {
    if (String(url).endsWith('openapi.json'))
      return Promise.resolve({
        ok: true,
        json: () => Promise.resolve(structuredClone(apiDocument(routes, 'https://x.example'))),
      });
    asked.push([url, options]);
    return domains();
  };
  const SwaggerUIBundle = Object.assign(
    (options: Bundle) => {
      bundle = options;
      shown = options.spec;
      return { specActions: { updateSpec: (text: string) => void (shown = JSON.parse(text) as object) } };
    },
    { presets: {} },
  );
  runInNewContext(browserScript, { document, fetch, URL, window: { SwaggerUIBundle } });
  await settled();
  const authorize = bundle!.plugins[0]!().statePlugins.auth.wrapActions.authorize((entered) => entered);
  return {
    asked,
    enter: async (entered: object) => {
      const answer = authorize(entered);
      await settled();
      return answer;
    },
    examples: () => examplesOf(shown as ReturnType<typeof apiDocument>),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** What each example of POST /messages names: its domain's id, and its sender. */
function examplesOf(document: object): unknown[] {
  const { paths } = document as {
    paths: Record<
      string,
      { post: { requestBody: { content: Record<string, { examples: Record<string, { value: Request['body'] }> }> } } }
    >;
  };
  return Object.values(paths['/messages']!.post.requestBody.content).flatMap(({ examples }) =>
    Object.values(examples).map(({ value: { sending_domain_id: id, from_email: from } }) => [id, from]),
  );
}

const json =
  (body: unknown, ok = true) =>
  () =>
    Promise.resolve({ ok, json: () => Promise.resolve(body) });
const entered = { apiKey: { name: 'apiKey', value: KEY } };
const OF_DEMO = [
  [2, undefined],
  [2, undefined],
  [2, 'faktur@notify.kurir.test'],
];

describe('the examples of POST /messages at /docs', () => {
  it('name the domain of the demo workspace until a key is entered', async () => {
    const page = await openPage(json([]));
    expect(page.examples()).toEqual(OF_DEMO);
    expect(page.asked).toEqual([]);
  });

  it('name the first active domain of the account whose key is entered', async () => {
    const page = await openPage(
      json([
        { id: 3, domain: 'a.example', status: 'pending_dns' },
        { id: 8, domain: 'b.example', status: 'active' },
        { id: 9, domain: 'c.example', status: 'active' },
      ]),
    );
    expect(await page.enter(entered)).toBe(entered);
    const named = [
      [8, undefined],
      [8, undefined],
      [8, 'faktur@b.example'],
    ];
    expect(page.examples()).toEqual(named);
    expect(page.asked).toEqual([
      ['https://mail.example.com/v1/domains', { headers: { authorization: `Bearer ${KEY}` } }],
    ]);
  });

  it('name a transactional domain where the account has one: they are receipts', async () => {
    const page = await openPage(
      json([
        { id: 8, domain: 'b.example', status: 'active', category: 'marketing' },
        { id: 9, domain: 'c.example', status: 'suspended', category: 'transactional' },
        { id: 10, domain: 'd.example', status: 'active', category: 'transactional' },
      ]),
    );
    await page.enter(entered);
    expect(page.examples()).toContainEqual([10, 'faktur@d.example']);
  });

  it.each([
    ['no active domain', json([{ id: 3, domain: 'a.example', status: 'suspended' }])],
    ['a key without the scope', json({ message: 'no' }, false)],
    ['a server that does not answer', () => Promise.reject(new Error('gone'))],
  ])('stay as they are with %s', async (_why, domains) => {
    const page = await openPage(domains);
    expect(await page.enter(entered)).toBe(entered);
    expect(page.examples()).toEqual(OF_DEMO);
  });
});
