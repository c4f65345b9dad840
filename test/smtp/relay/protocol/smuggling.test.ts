import { describe, expect, it, test } from '@jest/globals';
import { converse, crlf, drain, loggedIn, toList } from './converse';

const MAIL = ['MAIL FROM:<shop@a.example>', 'RCPT TO:<budi@b.example>', 'DATA'];
const SMUGGLED = crlf('MAIL FROM:<admin@a.example>', 'RCPT TO:<siti@b.example>', 'DATA', 'Smuggled: 1', '', 'x', '.');

/** Sequences that some server or other takes for the end of a mail, or that turn into one when they are passed on. */
const ENDS = [
  '\n.\n',
  '\n.\r\n',
  '\r.\r',
  '\r.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\r\n.\r\r\n',
  '\r\r\n.\r\n',
  '\n\n.\n\n',
  '\r\n\0.\r\n',
  '\r\n.\0\r\n',
  '\r\n.\r\0\n',
  '\0\r\n.\r\n',
  '\r\n\r.\r\n',
  '\r\n.\n\r\n',
];
const name = (sequence: string): string => JSON.stringify(sequence);

describe('what may be taken for the end of a mail', () => {
  // spec: docs/contract.md#relay-lines: CRLF.CRLF only
  test.each(ENDS.map((end) => [name(end), end]))('%s: 554 5.6.0, closed, no mail at all', async (_, end) => {
    const gone = await converse([`${loggedIn(...MAIL)}Subject: a\r\n\r\nHello${end}${SMUGGLED}`]);
    expect(gone.mails).toEqual([]);
    expect(gone.state).toBe('closed');
    expect(toList(gone.replies).slice(-2)).toEqual([
      '354 Send the message, end it with <CRLF>.<CRLF>',
      '554 5.6.0 The message has a bare CR or LF or a NUL, goodbye',
    ]);
  });

  it('answers a client that takes such a sequence for the end once it falls silent', async () => {
    const gone = await converse([`${loggedIn(...MAIL)}Hello\n.\n`]);
    expect([gone.state, gone.session.waitsFor]).toEqual(['open', 'broken data']);
    gone.session.timedOut();
    await drain(gone);
    expect(toList(gone.replies).at(-1)).toMatch(/^554 5\.6\.0 /);
    expect([gone.state, gone.mails]).toEqual(['closed', []]);
  });

  it('CRLF.CRLF alone ends a mail, also when each octet comes by itself', async () => {
    const input = loggedIn(...MAIL, 'a', '..', '.', ...MAIL, 'b', '.');
    const gone = await converse([...input]);
    expect(gone.mails.map(({ content }) => content)).toEqual(['a\r\n.\r\n', 'b\r\n']);
  });
});

describe('line ends of commands', () => {
  test.each(['NOOP\n', 'NOOP\r', 'NO\0OP\r\n', 'NOOP\r\r\n', '\n', 'NOOP\rNOOP\r\n'].map((line) => [name(line), line]))(
    '%s: 500 5.5.2, and nothing that follows is read',
    async (_, line) => {
      const gone = await converse([`${loggedIn()}${line}${crlf(...MAIL, 'a', '.')}`]);
      expect(gone.mails).toEqual([]);
      expect(gone.state).toBe('closed');
      expect(toList(gone.replies).at(-1)).toMatch(/^500 5\.5\.2 /);
    },
  );

  it('an endless line ends the connection', async () => {
    const gone = await converse(Array<string>(70).fill('x'.repeat(1_000)));
    expect([gone.state, toList(gone.replies).at(-1)?.slice(0, 9)]).toEqual(['closed', '500 5.5.2']);
  });
});
