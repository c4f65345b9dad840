import { afterEach, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { PASSWORD, USERNAME } from './stub-policy';
import { TestRelay } from './relay';

let relay: TestRelay;
afterEach(() => relay.remove());

const transport = (options: object) =>
  createTransport({
    host: '127.0.0.1',
    auth: { user: USERNAME, pass: PASSWORD },
    tls: { rejectUnauthorized: false },
    ...options,
  });

// spec: docs/contract.md#relay-connection: clients
it.each(['PLAIN', 'LOGIN'])('nodemailer sends on both ports, with AUTH %s', async (authMethod) => {
  relay = await TestRelay.start();
  const { smtp, smtps } = relay.ports;
  for (const options of [
    { port: smtp, requireTLS: true },
    { port: smtps, secure: true },
  ]) {
    const text = 'Hello\n.\n.. dots\nüber';
    const sent = await transport({ ...options, authMethod }).sendMail({
      from: 'shop@a.example',
      to: ['budi@b.example', 'refused@b.example'],
      subject: 'Halo',
      text,
    });
    expect(sent).toMatchObject({ accepted: ['budi@b.example'], response: '250 2.0.0 message 1' });
    expect(sent.rejected).toEqual(['refused@b.example']);
  }
  expect(relay.policy.mails).toHaveLength(2);
});

it('nodemailer is told what is wrong: no TLS, a wrong password, a mail that is too large', async () => {
  relay = await TestRelay.start();
  const { smtp: port, smtps } = relay.ports;
  const mail = { from: 'shop@a.example', to: 'budi@b.example', text: 'Hello' };
  await expect(transport({ port, ignoreTLS: true }).sendMail(mail)).rejects.toMatchObject({ responseCode: 530 });
  const wrong = { port: smtps, secure: true, auth: { user: USERNAME, pass: 'wrong' } };
  await expect(transport(wrong).sendMail(mail)).rejects.toMatchObject({ code: 'EAUTH', responseCode: 535 });
  const large = { ...mail, text: 'x'.repeat(11_000_000) };
  const sent = transport({ port: smtps, secure: true }).sendMail(large);
  await expect(sent).rejects.toMatchObject({ responseCode: 552 });
});
