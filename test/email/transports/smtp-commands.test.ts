import { describe, expect, it } from '@jest/globals';
import { mailCommand, rcptCommand, type AddressedMail } from '../../../email/transports/smtp-commands';
import { smtpExtensions } from '../../../email/transports/smtp-extensions';

const MAIL: AddressedMail = {
  from: 'b-1@bounce.demo.kurir.test',
  to: 'budi@example.com',
  envid: 'id-1',
  raw: Buffer.from('Subject: hi\r\n\r\nhello\r\n'),
};
const ALL = smtpExtensions('250-mx\n250-SIZE\n250-8BITMIME\n250-SMTPUTF8\n250 DSN');
const NONE = smtpExtensions('250 mx');

describe('the commands of a mail', () => {
  it('have no parameter that the server does not know', () => {
    const mail = { ...MAIL, to: 'büdi@example.com', raw: Buffer.from('Subject: hi\r\n\r\nhellö\r\n') };
    expect(mailCommand(mail, NONE)).toBe('MAIL FROM:<b-1@bounce.demo.kurir.test>');
    expect(rcptCommand(mail, NONE)).toBe('RCPT TO:<büdi@example.com>');
  });

  it('ask for a report of every kind', () => {
    expect(mailCommand(MAIL, ALL)).toBe('MAIL FROM:<b-1@bounce.demo.kurir.test> SIZE=22 RET=HDRS ENVID=id-1');
    expect(rcptCommand(MAIL, ALL)).toBe(
      'RCPT TO:<budi@example.com> NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=rfc822;budi@example.com',
    );
  });

  it('announce a body with bytes beyond ASCII', () => {
    const line = mailCommand({ ...MAIL, raw: Buffer.from('Subject: hi\r\n\r\nhellö\r\n') }, ALL);
    expect(line).toContain(' BODY=8BITMIME ');
    expect(line).not.toContain('SMTPUTF8');
  });

  it('announce an address or a header in another script', () => {
    expect(mailCommand({ ...MAIL, to: 'büdi@example.com' }, ALL)).toContain('> SMTPUTF8 SIZE=');
    expect(mailCommand({ ...MAIL, raw: Buffer.from('From: büdi@example.com\r\n\r\nhello\r\n') }, ALL)).toContain(
      '> SMTPUTF8 BODY=8BITMIME SIZE=',
    );
  });

  it('name no original recipient in another script, which RFC 3461 has no form for', () => {
    expect(rcptCommand({ ...MAIL, to: 'büdi@example.com' }, ALL)).toBe(
      'RCPT TO:<büdi@example.com> NOTIFY=SUCCESS,FAILURE,DELAY',
    );
  });

  it('let nothing in the message id or the address end a parameter (xtext)', () => {
    expect(mailCommand({ ...MAIL, envid: 'a b\r\nRCPT TO:<x@y>+=é' }, ALL)).toMatch(
      / ENVID=a\+20b\+0D\+0ARCPT\+20TO:<x@y>\+2B\+3D\+C3\+A9$/,
    );
    expect(rcptCommand({ ...MAIL, to: '"a b+c"@example.com' }, ALL)).toMatch(
      / ORCPT=rfc822;"a\+20b\+2Bc"@example\.com$/,
    );
  });
});
