import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeOnEngines } from '../support/engines';
import { Running } from '../support/running';
import { SmtpInbox } from '../email/support/smtp-inbox';

describeOnEngines('addresses with a local part in quotes', (install) => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.startOn(install());
  });
  afterAll(() => running.stop());

  const suppression = async (email: string): Promise<unknown> =>
    (await running.api.get(`/suppressions?email=${encodeURIComponent(email)}`)).body.reason;
  const post = (to: string) =>
    running.api.request('POST', '/messages', {
      to,
      subject: 'Halo',
      html: '<p>Halo</p>',
      sending_domain_id: running.demo.sending_domain_id,
    });

  // spec: docs/contract.md#addresses: quoted ones are delivered, bounce and are suppressed as others are
  it.each(['"a b"@x.example', '"a\\"b"@x.example', '"a@b"@x.example', '"a<b>,(c);:d\\\\e"@bücher.example'])(
    '%s is delivered for one coin, and named right by envelope and header',
    async (to) => {
      const id = await running.send(to);
      await running.untilStatus(id, 'delivered');
      expect(await running.coinsOf(id, -1)).toEqual(['debit:m:1']);
      const path = to.replace('bücher', 'xn--bcher-kva');
      const inbox = await fetch(`${running.demo.inbox_url}?to=`, { headers: { accept: 'application/json' } });
      expect(JSON.stringify(await inbox.json())).toContain(JSON.stringify(path).slice(1, -1));
      expect((await running.api.get(`/messages?ids=${id}`)).body.data).toMatchObject([{ to }]);
    },
  );

  // spec: docs/contract.md#addresses: quoted ones are delivered, bounce and are suppressed as others are
  it('that bounce are suppressed under every spelling, with the penalties of any other address', async () => {
    const id = await running.send('"hardbounce+A b"@x.example');
    await running.untilStatus(id, 'bounced');
    expect(await running.coinsOf(id, -5)).toEqual(['debit:m:1', 'penalty:m']);
    for (const spelling of ['"hardbounce+a b"@x.example', '"hardbounce+a\\ \\b"@X.example']) {
      expect(await suppression(spelling)).toBe('hard_bounce');
      expect((await post(spelling)).body).toMatchObject({ message: 'Penerima ada di suppression list.' });
    }
    expect(await suppression('"hardbounce+ab"@x.example')).toBeNull();
  });

  it('are the contact of the plain spelling when they need no quotes', async () => {
    const consent = { consent: true };
    const quoted = await running.api.request('POST', '/contacts', { email: '"Budi.s"@x.example', ...consent });
    const plain = await running.api.request('POST', '/contacts', { email: 'budi.S@x.example', ...consent });
    expect([quoted.status, quoted.body.email]).toEqual([201, 'budi.s@x.example']);
    expect(plain.body).toEqual(quoted.body);
  });
});

describeOnEngines('addresses at a domain with symbols', (install) => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.startOn(install());
  });
  afterAll(() => running.stop());

  // spec: docs/contract.md#addresses: what is accepted can be handed over: one judge of addresses
  it.each([
    ['i@i❤.test', 'i@xn--i-7iq.test'],
    ['ana@❤️.test', 'ana@xn--qei.test'],
    ['ana@toko™.example', 'ana@tokotm.example'],
    ['"a b"@☕.example', '"a b"@xn--53h.example'],
  ])('%s is delivered to %s', async (to, path) => {
    const id = await running.send(to);
    await running.untilStatus(id, 'delivered');
    expect(await running.coinsOf(id, -1)).toEqual(['debit:m:1']);
    const inbox = await fetch(`${running.demo.inbox_url}?to=`, { headers: { accept: 'application/json' } });
    expect(JSON.stringify(await inbox.json())).toContain(JSON.stringify(path).slice(1, -1));
  });

  it('are one contact with their ASCII form', async () => {
    const made = await Promise.all(
      ['budi@i❤.test', 'Budi@xn--i-7iq.test'].map((email) =>
        running.api.request('POST', '/contacts', { email, consent: true }),
      ),
    );
    expect(made.map(({ body }) => body.email)).toEqual(['budi@xn--i-7iq.test', 'budi@xn--i-7iq.test']);
    expect(made[0]!.body.id).toBe(made[1]!.body.id);
  });

  it.each([
    ['no form in ASCII', 'ana@\u{2f868}.test'],
    ['broken punycode', 'ana@xn--a.test'],
    ['a form in ASCII that is too long', `a@${`${'❤'.repeat(14)}.`.repeat(14)}test`],
  ])('are refused when accepted nowhere: %s', async (_what, to) => {
    const refused = await Promise.all([
      running.api.request('POST', '/messages', { to, subject: 'a', html: 'a', sending_domain_id: 1 }),
      running.api.request('POST', '/contacts', { email: to, consent: true }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([422, 422]);
  });
});

describe('an address of another script at a sending server without SMTPUTF8', () => {
  let inbox: SmtpInbox;
  let running: Running;
  beforeAll(async () => {
    inbox = await SmtpInbox.start({ disabledCommands: ['STARTTLS', 'AUTH'], hideSMTPUTF8: true });
    running = await Running.start({ KURIR_MTA_URL: `smtp://127.0.0.1:${inbox.port}`, KURIR_DEMO: 'true' });
  });
  afterAll(async () => {
    await running.stop();
    await inbox.stop();
  });

  // spec: docs/contract.md#failed-reasons: failed: what the sending server cannot take, refunded
  it.each(['büdi@x.example', '"büdi s"@x.example'])(
    '%s fails with a reason of ours, refunded, at the first try',
    async (to) => {
      const id = await running.send(to);
      const message = await running.untilStatus(id, 'failed');
      expect(message).toMatchObject({
        failedReason: 'Alamat dengan karakter non-ASCII sebelum @ tidak didukung server pengirim.',
        attempt: 1,
        dispatchedAt: null,
      });
      expect(await running.coinsOf(id, 0)).toEqual(['debit:m:1', 'refund:m:1']);
      expect((await running.api.get(`/suppressions?email=${encodeURIComponent(to)}`)).body).toMatchObject({
        can_send: true,
      });
      expect(inbox.mails).toEqual([]);
    },
  );
});
