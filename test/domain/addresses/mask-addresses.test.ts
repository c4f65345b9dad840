import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { AddressSearch } from '../../../domain/addresses/address-search';
import { maskAddresses } from '../../../domain/addresses/mask-addresses';
import { HOSTILE_TEXTS } from './hostile-texts';

describe('an address in the text of a server', () => {
  // spec: docs/contract.md#delete-a-contact: replies and reports enter the log without the address
  it.each([
    ['550 5.1.1 <budi@contoh.id>: user unknown', '550 5.1.1 <***@contoh.id>: user unknown'],
    ['RCPT TO:<Budi.Santoso+1@CONTOH.ID> a@b.id,c@d.id', 'RCPT TO:<***@CONTOH.ID> ***@b.id,***@d.id'],
    ["mailbox 'budi@contoh.id' is full.", "mailbox '***@contoh.id' is full."],
    ['"budi santoso"@contoh.id and "b\\"s"@contoh.id', '***@contoh.id and ***@contoh.id'],
    [
      '<"a\\"b"@contoh.id>: "a<b>c"@contoh.id rfc822;"a+20b"@contoh.id',
      '<***@contoh.id>: ***@contoh.id rfc822;***@contoh.id',
    ],
    ['<a b@contoh.id>: no, <a,(c)@d e@contoh.id>: <x>: no', '<***@contoh.id>: no, <***@contoh.id>: <x>: no'],
    ['<"budi s@toko"@contoh.id> "a\\"b c@d"@contoh.id', '<***@contoh.id> ***@contoh.id'],
    ['<budi@[192.0.2.1]> <budi@[IPv6:2001:db8::1]>', '<***@[192.0.2.1]> <***@[IPv6:2001:db8::1]>'],
    ['<bücher@bücher.example> <用户@例子.广告>', '<***@bücher.example> <***@例子.广告>'],
    ['<ana@❤.test> <i@i❤.test>', '<***@❤.test> <***@i❤.test>'],
    ['https://x.test/?e=budi%40contoh.id&f=budi%2540contoh.id', 'https:***@***@contoh.id'],
    ['budi=40contoh.id budi&#64;contoh.id budi&commat;contoh.id', '***@contoh.id ***@contoh.id ***@contoh.id'],
    ['a@b@contoh.id', '***@***@contoh.id'],
    ['a%40b%40contoh.id', '***@***@contoh.id'],
  ])('is made unknown: %s', (text, masked) => {
    expect(maskAddresses(text)).toBe(masked);
  });

  it.each([
    '250 2.0.0 Ok: queued as 4F=40',
    'limit=40 MB',
    'size=4096 max=4096',
    '@ contoh',
    'budi@ contoh',
    '<@>',
    '',
  ])('a text without one stays: %j', (text) => {
    expect(maskAddresses(text)).toBe(text);
  });

  // spec: docs/contract.md#delete-a-contact: replies and reports enter the log without the address
  it('is not found any more, whatever stands around it', () => {
    const email = 'sari.dewi+toko@contoh.test';
    const search = new AddressSearch(email);
    const around = fc.string({ unit: fc.constantFrom(...' <>()[]{},;:"\'@\\%=&a.4025\n🌸'), maxLength: 12 });
    const written = fc.constantFrom(email, email.toUpperCase(), encodeURIComponent(email), email.replace('@', '%2540'));
    fc.assert(
      fc.property(around, written, around, (before, address, after) => {
        expect(search.inText(maskAddresses(`${before}${address}${after}`))).toBe(false);
      }),
    );
  });

  it('does not survive behind 200 characters of one word', () => {
    expect(maskAddresses(`${'x'.repeat(200)}budi@contoh.id`)).toBe(`${'x'.repeat(76)}***@contoh.id`);
  });

  test.each(HOSTILE_TEXTS)('a million characters take no time: %s', (_, text) => {
    expect(maskAddresses(`${text} budi@contoh.id`).endsWith(' ***@contoh.id')).toBe(true);
  });
});
