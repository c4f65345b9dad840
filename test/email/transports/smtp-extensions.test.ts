import { describe, expect, it } from '@jest/globals';
import { smtpExtensions } from '../../../email/transports/smtp-extensions';

const NONE = { pipelining: false, dsn: false, eightBitMime: false, smtpUtf8: false, size: false, largest: null };

describe('what a server offers', () => {
  it('is read from its reply to EHLO, in any case and with values', () => {
    expect(
      smtpExtensions('250-mx.test hello\n250-Pipelining\n250-SIZE 1000\n250-DSN\n250-8bitmime\n250 SMTPUTF8'),
    ).toEqual({ pipelining: true, dsn: true, eightBitMime: true, smtpUtf8: true, size: true, largest: 1000 });
  });

  it('is nothing after HELO, whatever its greeting says', () => {
    expect(smtpExtensions('250 PIPELINING DSN SIZE')).toEqual(NONE);
  });

  it('is not what only begins or ends alike', () => {
    expect(smtpExtensions('250-mx\n250-XPIPELINING\n250-DSN2\n250 X DSN')).toEqual(NONE);
  });

  it.each(['SIZE', 'SIZE 0', 'SIZE none', 'SIZE -5'])('is no limit with %j', (line) => {
    expect(smtpExtensions(`250-mx\n250 ${line}`)).toEqual({ ...NONE, size: true });
  });
});
