import { describe, expect, it } from '@jest/globals';
import { confirmLink, readConfirmToken } from '../../../../domain/contacts/confirm-token';
import { CONFIRM_WITHIN } from '../../../../domain/contacts/opt-in';
import { openTemporary } from '../../../contract/embedded/open';
import { sharedEngine } from '../../../contract/harness';
import { present } from '../../../contract/helpers';
import { aContact, aWorkspace, TEST_KEYRING } from '../../../support/builders';
import { anAudience } from '../../../support/marketing';
import { forge, pagesApp } from '../pages-app';

const subject = sharedEngine(openTemporary);

/** A pending member, asked at `at` (ms), with the path of its link. */
async function pending(at = subject.clock.now()) {
  const { stores } = subject;
  const { id: workspaceId } = await stores.workspaces.create(aWorkspace({ businessName: 'Toko Melati' }));
  const audience = await stores.audiences.create(anAudience(workspaceId, { name: 'Kabar', optInMode: 'double' }));
  const given = aContact(workspaceId, { email: 'budi@contoh.test', emailHash: 'budi', at });
  await stores.optIns.subscribe({ workspaceId, audienceId: audience.id, contact: given, language: 'id', at });
  const contact = present(await stores.contacts.find(workspaceId, given.email));
  const ref = { workspaceId, audienceId: audience.id, contactId: contact.id };
  return { ref, contact, path: confirmLink(TEST_KEYRING, '', ref) };
}

const memberOf = async (ref: Awaited<ReturnType<typeof pending>>['ref']) =>
  (await subject.stores.optIns.find(ref))?.member;

describe('GET /c/<token>', () => {
  // spec: docs/contract.md#double-opt-in: a GET confirms nothing
  it('asks, with a button, and confirms nothing', async () => {
    const { ref, path, contact } = await pending();
    for (const method of ['get', 'head'] as const) await pagesApp(subject)[method](path).expect(200);
    const { text } = await pagesApp(subject).get(path).expect('X-Robots-Tag', 'noindex');
    expect(text).toContain('b•••@contoh.test');
    expect(text).not.toContain(contact.email);
    expect(text).toMatch(/<form method="post">\s*<button type="submit">Ya, saya mau berlangganan<\/button>/);
    expect(await memberOf(ref)).toMatchObject({ confirmedAt: null });
  });

  it('is in English for an English browser', async () => {
    const { path } = await pending();
    const { text } = await pagesApp(subject).get(path).set('Accept-Language', 'en');
    expect(text).toContain('Yes, subscribe me');
  });
});

describe('POST /c/<token>', () => {
  // spec: docs/contract.md#double-opt-in: the button confirms
  it('confirms, and says so again when it is pressed again', async () => {
    const { ref, path } = await pending();
    expect((await pagesApp(subject).post(path).expect(200)).text).toContain('Langganan Anda aktif');
    expect(await memberOf(ref)).toMatchObject({ confirmedAt: subject.clock.now(), pendingUntil: null });
    expect((await pagesApp(subject).post(path).expect(200)).text).toContain('Anda sudah berlangganan');
    expect((await pagesApp(subject).get(path).expect(200)).text).toContain('Anda sudah berlangganan');
  });

  // spec: docs/contract.md#double-opt-in: 404 and 410
  it('410: after 14 days, also while the member is still there', async () => {
    const { ref, path } = await pending(subject.clock.now() - CONFIRM_WITHIN);
    await pagesApp(subject).get(path).expect(410);
    await pagesApp(subject).post(path).expect(410);
    expect(await memberOf(ref)).toMatchObject({ confirmedAt: null });
    await subject.stores.optIns.expire(ref, subject.clock.now());
    await pagesApp(subject).post(path).expect(410);
  });

  it('410: the contact was deleted', async () => {
    const { ref, path } = await pending();
    await subject.stores.contacts.delete(ref.workspaceId, ref.contactId);
    await pagesApp(subject).post(path).expect(410);
    await pagesApp(subject).get(path).expect(410);
  });

  // spec: docs/contract.md#double-opt-in: 404 and 410
  it('404: a link that was changed in any character', async () => {
    const { path } = await pending();
    for (const bent of [forge(path), path.slice(0, -1), `${path}A`, '/c', '/c/x', `/c/a${path.slice(3)}`]) {
      await pagesApp(subject).get(bent).expect(404);
      await pagesApp(subject).post(bent).expect(404);
    }
  });

  it('405: another method', async () => {
    await pagesApp(subject)
      .delete((await pending()).path)
      .expect(405)
      .expect('Allow', 'GET, HEAD, POST');
  });
});

describe('a confirmation token', () => {
  it('says what it was signed for, and no character of it can be changed', () => {
    const about = { workspaceId: 1, audienceId: 2 ** 40, contactId: 3 };
    const token = confirmLink(TEST_KEYRING, '', about).slice('/c/'.length);
    expect(readConfirmToken(TEST_KEYRING, token)).toEqual(about);
    for (let n = 0; n < token.length; n += 1) {
      const other = token[n] === 'A' ? 'B' : 'A';
      expect(readConfirmToken(TEST_KEYRING, token.slice(0, n) + other + token.slice(n + 1))).toBeNull();
    }
  });
});
