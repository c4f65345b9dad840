import { describe, expect, test } from '@jest/globals';
import { readLogLine } from '../../../domain/postfix/read-log-line';

const NOW = new Date(2026, 10, 23, 12).getTime();
const AT = new Date(2026, 10, 23, 4, 47, 47).getTime();
const read = (text: string): unknown => readLogLine(`Nov 23 04:47:47 mta postfix/${text}`, NOW);

describe('a line of the log of Postfix', () => {
  test.each([
    ['smtpd[1036]: A0D3D9987D9: client=localhost[127.0.0.1]', { kind: 'opened', pid: '1036', queueId: 'A0D3D9987D9' }],
    ['smtpd[1036]: lost connection after DATA (43 bytes) from localhost[127.0.0.1]', { kind: 'cut', pid: '1036' }],
    ['submission/smtpd[7]: timeout after DATA (0 bytes) from localhost[127.0.0.1]', { kind: 'cut', pid: '7' }],
    ['smtpd[1036]: disconnect from localhost[127.0.0.1] ehlo=1 data=0/1', { kind: 'closed', pid: '1036' }],
    ['smtpd[1036]: connect from localhost[127.0.0.1]', { kind: 'closed', pid: '1036' }],
    [
      'cleanup[9]: AE62E998801: message-id=<x@toko.test>',
      { kind: 'named', queueId: 'AE62E998801', messageId: 'x@toko.test' },
    ],
    [
      'qmgr[957]: 4ZRjq24cMBz1Q: from=<b-1@bounce.toko.test>, size=273, nrcpt=1 (queue active)',
      { kind: 'queued', queueId: '4ZRjq24cMBz1Q', sender: 'b-1@bounce.toko.test' },
    ],
    ['qmgr[957]: B2A77998642: removed', { kind: 'removed', queueId: 'B2A77998642' }],
    [
      'smtp[1048]: A0D3: to=<a@good.test>, relay=none, delay=0.08, delays=0.07/0.02/0/0, dsn=4.4.1, status=deferred (connect to 127.0.0.1[127.0.0.1]:12626: Connection refused)',
      { kind: 'deferred', queueId: 'A0D3', text: '4.4.1 connect to 127.0.0.1[127.0.0.1]:12626: Connection refused' },
    ],
    [
      'smtp[1048]: A0D3: to=<a@x.test>, relay=mx.x.test[192.0.2.1]:25, delay=1, delays=0/0/0/1, dsn=4.7.1, status=deferred (host mx.x.test[192.0.2.1] said: 451 4.7.1 Try later (in reply to RCPT TO command))',
      { kind: 'deferred', queueId: 'A0D3', text: '4.7.1 451 4.7.1 Try later' },
    ],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual({ ...expected, at: AT });
  });

  test.each([
    'smtp[1]: A0D3: to=<a@x.test>, relay=x, delay=1, delays=1, dsn=2.0.0, status=sent (250 ok)',
    'smtp[1]: A0D3: to=<a@x.test>, relay=x, delay=1, delays=1, dsn=5.1.1, status=bounced (550 no)',
    'smtpd[1]: lost connection after END-OF-MESSAGE from localhost[127.0.0.1]',
    'smtpd[7]: lost connection after DATA from localhost[127.0.0.1]',
    'smtpd[1]: lost connection after RCPT from localhost[127.0.0.1]',
    'master[1]: reload -- version 3.7.11, configuration /etc/postfix',
  ])('%s says nothing that counts', (text) => {
    expect(read(text)).toBeNull();
  });

  test('a start of Postfix is known', () => {
    const line = 'Nov 23 04:47:47 mta postfix/master[9]: daemon started -- version 3.7.11, configuration /etc/postfix';
    expect(readLogLine(line, NOW)).toMatchObject({ kind: 'started' });
  });

  test('dates of a syslog daemon have a zone and may have fractions', () => {
    const line = '2026-11-23T04:47:47.250000+07:00 mta postfix/qmgr[957]: B2A7: removed';
    expect(readLogLine(line, NOW)).toEqual({
      kind: 'removed',
      queueId: 'B2A7',
      at: Date.UTC(2026, 10, 22, 21, 47, 47, 250),
    });
  });

  test('a line of December that is read in January is of last year', () => {
    const line = 'Dec 31 23:59:58 mta postfix/qmgr[957]: B2A7: removed';
    const now = new Date(2027, 0, 1, 0, 0, 5).getTime();
    expect(readLogLine(line, now)?.at).toBe(new Date(2026, 11, 31, 23, 59, 58).getTime());
  });

  test.each([
    'Nov 23 04:47:47 mta rsyslogd: imjournal: 211 messages lost due to rate-limiting (20000 allowed within 600 seconds)',
    'Nov 23 04:47:47 mta rsyslogd: imuxsock[pid 9]: begin to drop messages due to rate-limiting',
    'Nov 23 04:47:47 mta systemd-journald[1]: Suppressed 12 messages from postfix.service',
  ])('%s: lines were lost', (line) => {
    expect(readLogLine(line, NOW)).toEqual({ kind: 'lines_lost', at: null });
  });

  test.each([
    '',
    '\0\0',
    'Nov 99 99:99:99 mta postfix/qmgr[1]: X: removed',
    'Foo 23 04:47:47 mta postfix/smtpd[1]:',
    'x'.repeat(100_000),
  ])('anything else does no harm: %p', (line) => {
    expect(() => readLogLine(line, NOW)).not.toThrow();
  });
});
