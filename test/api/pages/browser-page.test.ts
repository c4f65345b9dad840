import { describe, expect, it } from '@jest/globals';
import { browserLink } from '../../../domain/messages/message-tokens';
import type { Message } from '../../../domain/messages/message';
import {
  acceptMessage,
  acceptOne,
  aContact,
  aDomain,
  anAcceptance,
  aWorkspace,
  createSender,
  messageId,
  TEST_KEYRING,
} from '../../support/builders';
import { aCampaign } from '../../support/marketing';
import { openTemporary } from '../../contract/embedded/open';
import { sharedEngine } from '../../contract/harness';
import { closedEngine, forge, mail, pagesApp, recorded } from './pages-app';

const subject = sharedEngine(openTemporary);

const HTML =
  '<p>Halo {{nama|Kak}}, {{email}}</p><a href="https://toko.test/x">x</a><a href="{{versi_web}}">web</a><script>alert(1)</script>';

/** A test mail of a campaign: it has content of its own. */
async function campaignMail(html = HTML): Promise<{ message: Message; contactId: number; path: string }> {
  const { stores } = subject;
  const workspace = await stores.workspaces.create(aWorkspace({ businessName: 'Toko Melati' }));
  const domain = await stores.domains.create(aDomain(workspace.id));
  const contact = await stores.contacts.ensure(aContact(workspace.id, { name: 'Budi' }));
  const campaign = await stores.campaigns.create(aCampaign({ workspace, domain }, 7));
  const message = await acceptMessage(
    stores,
    { workspace, domain, contact },
    { facts: { campaignId: campaign.id, channel: 'app' }, body: { html } },
  );
  return { message, contactId: contact.id, path: browserLink(TEST_KEYRING, '', message.id) };
}

describe('GET /m/<token>', () => {
  // spec: docs/contract.md#browser-page: the recipient's mail, untracked
  it("shows the recipient's mail: filled in, untracked, without an unsubscribe link; nothing is recorded", async () => {
    const { message, path } = await campaignMail();
    const { text, type } = await pagesApp(subject).get(path).expect(200);
    expect(type).toBe('text/html');
    expect(text).toContain(`<p>Halo Budi, ${message.toText}</p><a href="https://toko.test/x">x</a>`);
    expect(text).toContain(`<a href="https://mail.kurir.test${path}">web</a>`);
    expect(text).toContain('Toko Melati');
    expect(text).not.toMatch(/\/t\/o\/|\/t\/c\/|\/u\/|Berhenti/);
    await pagesApp(subject).head(path).expect(200);
    expect(await recorded(subject, message)).toEqual([]);
  });

  it('shows a message without content of its own with that of its campaign', async () => {
    const { stores } = subject;
    const sender = await createSender(stores);
    const campaign = await stores.campaigns.create(aCampaign(sender, 7, { html: '<p>Promo, {{nama|Kak}}</p>' }));
    const facts = { campaignId: campaign.id, channel: 'app', lane: 'campaign' } as const;
    const acceptance = { ...anAcceptance(sender, { facts }), body: null };
    await acceptOne(stores.messages, acceptance);
    const path = browserLink(TEST_KEYRING, '', acceptance.facts.id);
    const { text } = await pagesApp(subject).get(path).expect(200);
    expect(text).toContain('<p>Promo, Kak</p>');
    const bare = await stores.campaigns.create(aCampaign(sender, 7, { html: null }));
    const without = { ...anAcceptance(sender, { facts: { ...facts, campaignId: bare.id } }), body: null };
    await acceptOne(stores.messages, without);
    await pagesApp(subject)
      .get(browserLink(TEST_KEYRING, '', without.facts.id))
      .expect(404);
  });

  // spec: docs/contract.md#browser-page: neither stored nor indexed, no script
  it('is neither stored nor indexed, and runs no script and sends no form', async () => {
    const { path } = await campaignMail();
    const { headers } = await pagesApp(subject).get(path);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    });
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"]),
    );
    expect(policy.find((each) => each.startsWith('sandbox'))).not.toMatch(/allow-(scripts|forms|same-origin)/);
    expect(policy.some((each) => each.startsWith('script-src'))).toBe(false);
  });

  // spec: docs/contract.md#browser-page: 404: a bent link
  it('answers 404 to a bent link, tokens of the other links, mail of the API and messages that are not there', async () => {
    const { path } = await campaignMail();
    const { paths, message } = await mail(subject, []);
    const paths404 = [
      forge(path),
      path.slice(0, -1),
      `${path}A`,
      paths.unsubscribe.replace('/u/', '/m/'),
      browserLink(TEST_KEYRING, '', message.id),
      browserLink(TEST_KEYRING, '', messageId()),
      '/m',
      '/m/',
      `${path}/x`,
    ];
    for (const wrong of paths404) {
      const { text } = await pagesApp(subject).get(wrong).expect(404);
      expect(text).toContain('Tautan tidak ditemukan');
    }
    await pagesApp(subject).get(path.replace('/m/', '/u/')).expect(404);
  });

  // spec: docs/contract.md#browser-page: 404: a deleted contact
  it('answers 404 once the contact was deleted', async () => {
    const { message, contactId, path } = await campaignMail();
    await subject.stores.contacts.delete(message.workspaceId, contactId);
    await pagesApp(subject).get(path).expect(404);
  });

  it('answers 405 to other methods, and a page when the store cannot be read', async () => {
    const { path } = await campaignMail();
    const { headers } = await pagesApp(subject).post(path).expect(405);
    expect(headers['allow']).toBe('GET, HEAD');
    const { stores } = await closedEngine();
    const { status, text } = await pagesApp(subject, { stores }).get(path);
    expect(status).toBeGreaterThanOrEqual(500);
    expect(text).toContain('Terjadi kesalahan');
  });
});
