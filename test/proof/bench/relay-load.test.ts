import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readMail } from '../../../smtp/relay/mail/read-mail';
import { listenBareSmtp, type BareSmtp } from '../../../proof/bench/bare-smtp';
import { RelayConnection } from '../../../proof/bench/relay-connection';
import { relayLoad } from '../../../proof/bench/relay-load';
import { relayMails } from '../../../proof/bench/relay-mail';
import { SAMPLE } from '../../../proof/bench/sample-mail';

const login = { username: 'kur000001', password: 'any', from: 'shop@w1.bench.example' };
let server: BareSmtp;
beforeAll(async () => {
  server = await listenBareSmtp();
});
afterAll(() => server.close());

describe('the load of the relay', () => {
  test('sends the sample, whole, under another Message-ID each time', async () => {
    const mailOf = await relayMails();
    const mail = mailOf(login.from, 'r1');
    expect(mail).toMatch(/\r\n\.\r\n$/);
    expect(await readMail(Buffer.from(mail.slice(0, -3), 'latin1'))).toMatchObject({
      messageId: 'r1@sender.example',
      from: { address: login.from },
      subject: SAMPLE.subject,
      html: SAMPLE.html,
      text: SAMPLE.text.trimEnd(),
    });
    expect(mailOf(login.from, 'r2')).toContain('Message-ID: <r2@sender.example>');
  });

  test('counts what is taken, over one connection for each login', async () => {
    const found = await relayLoad({ port: server.port, logins: [login, login], seconds: 0.3, pid: process.pid });
    expect(found.refused).toBe(0);
    expect(found.accepted).toBeGreaterThan(2);
  });

  test('tells what a server answers instead', async () => {
    const connection = await RelayConnection.open(server.port, login);
    expect(await connection.send(login.from, 'no address', '.\r\n')).toBe('501');
    connection.close();
    expect(await connection.send(login.from, 'r@recipient.example', '.\r\n')).toBe('');
  });
});
