import { describe, expect, it, test } from '@jest/globals';
import { BUILT_IN_FILE, DestinationRules, domainOf } from '../../../domain/destinations/destination-rules';

const rules = new DestinationRules(BUILT_IN_FILE);

describe('the destination of a domain', () => {
  it.each([
    ['gmail.com', 'google'],
    ['hotmail.com', 'microsoft'],
    ['yahoo.co.id', 'yahoo'],
    ['icloud.com', 'apple'],
    ['toko.test', 'toko.test'],
    ['example.com', 'example.com'],
    ['', ''],
    ['toko.co.id', null],
  ])('%s is known by its name as %s', (domain, name) => expect(rules.known(domain)).toBe(name));

  it.each([
    ['aspmx.l.google.com', 'google'],
    ['ASPMX.L.GOOGLE.COM.', 'google'],
    ['toko-co-id.mail.protection.outlook.com', 'microsoft365'],
    ['hotmail-com.olc.protection.outlook.com', 'microsoft'],
    ['toko-co-id.a-v1.mx.microsoft', 'microsoft365'],
    ['mta5.am0.yahoodns.net', 'yahoo'],
    ['mx01.mail.icloud.com', 'apple'],
    ['eu-smtp-inbound-1.mimecast.com', 'mimecast'],
    ['mx0a-001b2d01.pphosted.com', 'proofpoint'],
    ['mail.notgoogle.com', 'toko.co.id'],
  ])('with its mail at %s is %s', (host, name) => expect(rules.byHosts('toko.co.id', [host])).toBe(name));

  it('is that of the preferred host that is known, or the domain itself', () => {
    expect(rules.byHosts('toko.co.id', ['mx.toko.co.id', 'alt1.aspmx.l.google.com'])).toBe('google');
    expect(rules.byHosts('toko.co.id', [])).toBe('toko.co.id');
  });
});

test('the domain of an address is behind its last @', () => {
  expect(domainOf('"a@b"@toko.example')).toBe('toko.example');
  expect(domainOf(null)).toBe('');
});

test('a domain without a rule has the limits of the others, and no limit of a destination', () => {
  expect(rules.limitsOf('toko.example')).toEqual({ perMinute: null, perHour: null });
  expect(rules.limitsOf('google').perMinute).toBeGreaterThan(0);
  expect(rules.titleOf('apple')).toBe('Apple iCloud');
  expect(rules.titleOf('toko.example')).toBe('toko.example');
});

describe('a reply', () => {
  it.each([
    [
      'google',
      '421-4.7.28 [192.0.2.1] Our system has detected an unusual rate of\n421-4.7.28 unsolicited mail originating from your IP address. To protect our\n421 4.7.28 users from spam, mail sent from your IP address has been temporarily rate limited. - gsmtp',
      'google-rate',
    ],
    [
      'google',
      '421-4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your SPF domain [toko.example 35]. - gsmtp',
      'google-domain',
    ],
    ['google', '450-4.2.1 The user you are trying to contact is receiving mail too quickly. - gsmtp', null],
    ['yahoo', '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred', 'yahoo-deferred'],
    ['toko.example', '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred', 'blocked-for-now'],
    ['microsoft365', '451 4.7.500 Server busy. Please try again later from [192.0.2.1]. (S77719)', 'microsoft-rate'],
    ['microsoft', "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. (S3150)", 'microsoft-blocked'],
    ['toko.example', '450 4.7.1 Too many messages, slow down', 'too-fast'],
    ['toko.example', '450 4.2.0 Greylisted, see postgrey', null],
    ['toko.example', '451 4.3.0 Mail server temporarily rejected message', null],
    ['toko.example', '550 5.1.1 User unknown', null],
  ])('of %s: %s is read by %s', (destination, reply, rule) =>
    expect(rules.replyRule(destination, reply)?.name ?? null).toBe(rule),
  );
});
