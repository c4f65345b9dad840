import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { SmtpSink } from '../../../proof/bench/smtp-sink';

const sink = new SmtpSink();
let port: number;
beforeAll(async () => {
  port = await sink.listen();
});
afterAll(() => sink.close());
beforeEach(() => sink.reset());

/** Writes the pieces one after the other and answers all that came back once the server closed. */
async function talk(pieces: readonly string[]): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setNoDelay(true).on('data', (chunk) => (answer += chunk.toString('latin1')));
  await once(socket, 'connect');
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise(setImmediate);
  }
  await once(socket, 'close');
  return answer;
}

const HEADERS = 'DKIM-Signature: v=1\r\nX-Message-id: one\r\nSubject: x';
const ENVELOPE = 'MAIL FROM:<a@x>\r\nRCPT TO:<b@y>\r\nDATA\r\n';

describe('the sink of the benches', () => {
  test('takes a mail of nodemailer and counts it', async () => {
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    const arrived = sink.waitFor(1);
    await transport.sendMail({ from: 'a@x.example', to: 'b@y.example', subject: 'x', text: '.\r\n..\r\n.\r\nend' });
    await arrived;
    expect(sink.count()).toMatchObject({ mails: 1, duplicates: 0, unsigned: 1 });
  });

  test('takes pipelined commands and several mails on one connection', async () => {
    const mail = `${ENVELOPE}${HEADERS}\r\n\r\nbody\r\n.\r\n`;
    const answer = await talk([`EHLO x\r\n${mail}${mail.replace('one', 'two')}QUIT\r\n`]);
    expect(answer.match(/^\d{3} /gm)).toEqual([
      '220 ',
      '250 ',
      '250 ',
      '250 ',
      '354 ',
      '250 ',
      '250 ',
      '250 ',
      '354 ',
      '250 ',
      '221 ',
    ]);
    expect(answer).toContain('250-PIPELINING\r\n');
    expect(answer).toContain('250-DSN\r\n');
    expect(sink.count()).toMatchObject({ mails: 2, duplicates: 0, unsigned: 0 });
  });

  test('takes a conversation that arrives in pieces of one byte', async () => {
    await talk([...`EHLO x\r\n${ENVELOPE}${HEADERS}\r\n\r\na .\r\n..\r\n.\r\nQUIT\r\n`]);
    expect(sink.count()).toMatchObject({ mails: 1, duplicates: 0, unsigned: 0 });
  });

  test('tells a mail that came twice, and one without a signature', async () => {
    const mail = `${ENVELOPE}${HEADERS}\r\n\r\nbody\r\n.\r\n`;
    await talk([`${mail}${mail}${mail.replace('DKIM-Signature', 'Other').replace('one', 'two')}QUIT\r\n`]);
    expect(sink.count()).toMatchObject({ mails: 3, duplicates: 1, unsigned: 1 });
  });

  test('waits for different mails: one that comes twice counts once', async () => {
    const mail = `${ENVELOPE}${HEADERS}\r\n\r\nbody\r\n.\r\n`;
    let reached = false;
    const arrived = sink.waitFor(2).then(() => (reached = true));
    await talk([`${mail}${mail}QUIT\r\n`]);
    expect(reached).toBe(false);
    await talk([`${mail.replace('one', 'two')}QUIT\r\n`]);
    await arrived;
    expect(reached).toBe(true);
  });

  test('keeps the order of its answers while it lets a mail wait for its own', async () => {
    const mail = `${ENVELOPE}${HEADERS}\r\n\r\nbody\r\n.\r\n`;
    sink.answerAfter = 20;
    try {
      const answer = await talk([`EHLO x\r\n${mail}`, `${mail.replace('one', 'two')}QUIT\r\n`]);
      const codes = answer.match(/^\d{3} /gm);
      const envelope = ['250 ', '250 ', '354 ', '250 '];
      expect(codes).toEqual(['220 ', '250 ', ...envelope, ...envelope, '221 ']);
      expect(sink.count()).toMatchObject({ mails: 2, duplicates: 0 });
    } finally {
      sink.answerAfter = 0;
    }
  });

  test('keeps the envelope of each mail', async () => {
    const second = 'MAIL FROM:<c@x> SIZE=5\r\nrcpt to:<d@y> NOTIFY=SUCCESS\r\nDATA\r\n';
    await talk([`${ENVELOPE}${HEADERS}\r\n\r\nx\r\n.\r\n${second}Subject: y\r\n\r\ny\r\n.\r\nQUIT\r\n`]);
    expect(sink.envelopes()).toEqual([
      { sender: 'a@x', recipient: 'b@y' },
      { sender: 'c@x', recipient: 'd@y' },
    ]);
  });
});
