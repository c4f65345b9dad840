import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { messageLinks } from '../../../domain/messages/message-tokens';
import { openTemporary } from '../../contract/embedded/open';
import { sharedEngine } from '../../contract/harness';
import { messageId, TEST_KEYRING } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { closedEngine, forge, keepingLogger, mail, pagesApp, recorded, tokensOf, type Mailed } from './pages-app';

const subject = sharedEngine(openTemporary);
const CONFIRMED = 'Anda sudah berhenti berlangganan';

const otherTokens = (mailed: Mailed): string[] => [
  forge(mailed.paths.unsubscribe),
  `/u/${tokensOf(mailed).click}`,
  `/u/${tokensOf(mailed).open}`,
  `/u/${mailed.message.id}`,
  '/u/x',
];

describe('GET /u/<token>', () => {
  it('asks in Indonesian, naming the business and the address in part', async () => {
    const { contact, paths } = await mail(subject, [], { businessName: 'Kopi Senja' });
    const { text } = await pagesApp(subject).get(paths.unsubscribe).expect(200).expect('Content-Type', /html/);
    expect(text).toContain('<html lang="id">');
    expect(text).toContain('Kopi Senja');
    expect(text).toContain('p•••@contoh.test');
    expect(text).not.toContain(contact.email);
    expect(text).toMatch(/<form method="post">\s*<button type="submit">Berhenti berlangganan<\/button>/);
  });

  // spec: docs/contract.md#language: pages: of the browser, else of the workspace
  it('is in the language of the workspace, or of the browser when that names one', async () => {
    const { paths } = await mail(subject, [], { businessName: 'Evening Coffee', language: 'en' });
    const ask = (language?: string) =>
      language === undefined
        ? pagesApp(subject).get(paths.unsubscribe)
        : pagesApp(subject).get(paths.unsubscribe).set('Accept-Language', language);
    for (const language of [undefined, 'de', '*', 'en-GB,id;q=0.5']) {
      const { text, headers } = await ask(language);
      expect([language, headers['content-language'], headers['vary']]).toEqual([language, 'en', 'Accept-Language']);
      expect(text).toContain('<html lang="en">');
      expect(text).toMatch(/<bdi>Evening Coffee<\/bdi><\/b> from sending email to <b><bdi>p•••@contoh.test/);
    }
    expect((await ask('id')).text).toContain('Berhenti berlangganan?');
    const { paths: indonesian } = await mail(subject, [], {});
    const visit = pagesApp(subject).post(indonesian.unsubscribe).set('Accept-Language', 'en');
    expect((await visit).text).toContain('You are unsubscribed');
    const lost = await pagesApp(subject).get('/u/x').set('Accept-Language', 'en');
    expect([lost.status, lost.text]).toEqual([404, expect.stringContaining('Link not found')]);
  });

  // spec: docs/contract.md#unsubscribing: a GET never unsubscribes
  it('never unsubscribes, and neither does HEAD', async () => {
    const { message, contact, paths } = await mail(subject);
    await pagesApp(subject).get(paths.unsubscribe).expect(200);
    await pagesApp(subject).head(paths.unsubscribe).expect(200);
    await pagesApp(subject).get(`${paths.unsubscribe}?List-Unsubscribe=One-Click`).expect(200);
    expect(await recorded(subject, message)).toEqual([]);
    expect(await subject.stores.contacts.get(contact.workspaceId, contact.id)).toMatchObject({ status: 'subscribed' });
  });

  it('is kept by no cache, no index and no frame, and may load nothing but its own style', async () => {
    const { paths } = await mail(subject);
    const { headers, text } = await pagesApp(subject).get(paths.unsubscribe);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(text).not.toMatch(/<script|<link|<img|<iframe|\sstyle=|\son\w+=|url\(/i);
  });

  it('shows what strangers wrote as text', async () => {
    const { paths } = await mail(subject, [], {
      businessName: `</title></style><script>alert(1)</script>"'&<%= 1 %>`,
      businessAddress: '<img src=x onerror=alert(1)>',
    });
    for (const answer of [
      await pagesApp(subject).get(paths.unsubscribe),
      await pagesApp(subject).post(paths.unsubscribe),
    ]) {
      expect(answer.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(answer.text).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(answer.text).not.toMatch(/<script|<img/);
    }
  });

  it('says so when the recipient is unsubscribed already, or reported the mail as spam', async () => {
    for (const status of ['unsubscribed', 'complained'] as const) {
      const { contact, paths } = await mail(subject);
      await subject.stores.contacts.raiseStatus(contact.workspaceId, contact.id, status, TEST_START);
      const { text } = await pagesApp(subject).get(paths.unsubscribe).expect(200);
      expect(text).toContain('Anda sudah tidak berlangganan');
      expect(text).not.toContain('<form');
    }
  });

  it('says so when the contact was deleted', async () => {
    const { contact, paths } = await mail(subject);
    await subject.stores.contacts.delete(contact.workspaceId, contact.id);
    const { text } = await pagesApp(subject).get(paths.unsubscribe).expect(200);
    expect(text).toContain('Data Anda sudah dihapus');
    expect(text).not.toContain('<form');
  });

  it('answers 404 to forged tokens, tokens of the other links, and messages that are not there', async () => {
    const mailed = await mail(subject, ['https://a.test/']);
    const gone = messageLinks(TEST_KEYRING, '', messageId()).unsubscribe;
    for (const path of [...otherTokens(mailed), gone]) {
      const { text } = await pagesApp(subject).get(path).expect(404);
      expect(text).toContain('Tautan tidak ditemukan');
    }
  });

  it('answers a page when the store cannot be read', async () => {
    const { paths } = await mail(subject);
    const { stores } = await closedEngine();
    const { status, text } = await pagesApp(subject, { stores }).get(paths.unsubscribe);
    expect(status).toBeGreaterThanOrEqual(500);
    expect(text).toContain('Terjadi kesalahan');
  });
});

describe('POST /u/<token>', () => {
  const signal = ({ message }: Mailed): object => ({
    id: expect.any(String),
    messageId: message.id,
    kind: 'unsubscribe',
    at: TEST_START,
    link: null,
    method: 'POST',
    agent: null,
    network: null,
    client: null,
  });

  it('has recorded the unsubscribe by the time the button answers', async () => {
    const mailed = await mail(subject);
    const answer = await pagesApp(subject).post(mailed.paths.unsubscribe).type('form').send('').expect(200);
    expect(answer.text).toContain(CONFIRMED);
    expect(await recorded(subject, mailed.message)).toEqual([signal(mailed)]);
  });

  // spec: docs/contract.md#unsubscribing: the one-click POST does
  it('takes the one-click POST of RFC 8058 as a form, as multipart, and with any other body or none', async () => {
    const mailed = await mail(subject);
    const post = () => pagesApp(subject).post(mailed.paths.unsubscribe);
    await post().type('form').send('List-Unsubscribe=One-Click').expect(200);
    await post().field('List-Unsubscribe', 'One-Click').expect(200);
    await post().send({ json: true }).expect(200);
    await post().set('Content-Type', 'text/plain').set('Content-Encoding', 'gzip').send('not gzip').expect(200);
    await post().expect(200);
    expect(await recorded(subject, mailed.message)).toEqual(Array(5).fill(signal(mailed)));
  });

  it('needs no cookie, sets none, and redirects nowhere', async () => {
    const { paths } = await mail(subject);
    const answer = await pagesApp(subject).post(paths.unsubscribe).redirects(0).expect(200);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.headers).not.toHaveProperty('location');
  });

  it('is answered alike when it is repeated', async () => {
    const { contact, paths } = await mail(subject);
    await subject.stores.contacts.raiseStatus(contact.workspaceId, contact.id, 'unsubscribed', TEST_START);
    for (let i = 0; i < 2; i += 1) {
      const { text } = await pagesApp(subject).post(paths.unsubscribe).expect(200);
      expect(text).toContain(CONFIRMED);
    }
  });

  it('takes no forged token, and no token of another link of the mail', async () => {
    const mailed = await mail(subject, ['https://a.test/']);
    for (const path of otherTokens(mailed)) await pagesApp(subject).post(path).expect(404);
    expect(await recorded(subject, mailed.message)).toEqual([]);
  });

  it('never confirms what the log refused: 503, and the operator is told', async () => {
    const { message, paths } = await mail(subject);
    const { logger, lines } = keepingLogger();
    const { log } = await closedEngine();
    const answer = await pagesApp(subject, { log, logger })
      .post(paths.unsubscribe)
      .expect(503)
      .expect('Retry-After', '30');
    expect(answer.text).toContain('Terjadi kesalahan');
    expect(answer.text).not.toContain(CONFIRMED);
    expect(lines).toMatchObject([{ level: 40, kind: 'unsubscribe', messageId: message.id }]);
  });

  it('never confirms what the log did not answer', async () => {
    const { paths } = await mail(subject);
    const log = { publish: () => new Promise<void>(() => undefined) };
    const app = pagesApp(subject, { log, timeouts: { click: 20, open: 20, hidden: 20, unsubscribe: 20 } });
    await app.post(paths.unsubscribe).expect(503);
  });

  it('confirms without names when it is recorded and only the store cannot be read', async () => {
    const mailed = await mail(subject);
    const { stores } = await closedEngine();
    const { text } = await pagesApp(subject, { stores }).post(mailed.paths.unsubscribe).expect(200);
    expect(text).toContain(CONFIRMED);
    expect(await recorded(subject, mailed.message)).toEqual([signal(mailed)]);
  });

  it('is calm when the contact was deleted or the message is not there', async () => {
    const { contact, paths } = await mail(subject);
    await subject.stores.contacts.delete(contact.workspaceId, contact.id);
    const deleted = await pagesApp(subject).post(paths.unsubscribe).expect(200);
    expect(deleted.text).toContain('Data Anda sudah dihapus');
    const gone = await pagesApp(subject)
      .post(messageLinks(TEST_KEYRING, '', messageId()).unsubscribe)
      .expect(404);
    expect(gone.text).toContain('Tautan tidak ditemukan');
  });

  it('reads at most 16 KiB of a body, announced or not, and records nothing beyond', async () => {
    const { message, paths } = await mail(subject);
    const announced = await pagesApp(subject).post(paths.unsubscribe).type('form').send('x'.repeat(17_000)).expect(413);
    expect(announced.text).toContain('Permintaan terlalu besar');
    const chunked = pagesApp(subject).post(paths.unsubscribe).set('Transfer-Encoding', 'chunked');
    chunked.write('x'.repeat(17_000));
    await chunked.expect(413).expect('Connection', 'close');
    expect(await recorded(subject, message)).toEqual([]);
    await pagesApp(subject).post(paths.unsubscribe).type('form').send('x'.repeat(16_384)).expect(200);
  });

  it('is the only method beside GET and HEAD', async () => {
    const { message, paths } = await mail(subject);
    for (const method of ['put', 'patch', 'delete', 'options'] as const) {
      await pagesApp(subject)[method](paths.unsubscribe).expect(405).expect('Allow', 'GET, HEAD, POST');
    }
    expect(await recorded(subject, message)).toEqual([]);
  });
});
