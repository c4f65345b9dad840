import { MORE_SUBJECTS } from './rfc7208-macro-cases';
import { nibbles, type Subject } from './subject';

/**
 * What RFC 7208 asks of an evaluator, by subject. The questions are those of the openspf.org test suite for RFC 7208
 * (release 2014.04; Stuart D Gathman, Julian Mehnle and others; 3-clause BSD), which pyspf carries as
 * test/rfc7208-tests.yml, written anew in a short form. Its cases about the text of `exp` and about records of type
 * SPF are left out, since neither is looked up here.
 *
 * A zone has a line for each record, `<name> <type> <value>`; TIMEOUT in the place of a type is a name that gets no
 * answer. A case is `<results> <client> <domain>`, then `helo=` and `local=` where it matters; `@` is example.com.
 */
export const SUBJECTS: readonly Subject[] = [
  {
    subject: 'initial processing (4.3, 3.1, 4.6.1)',
    zone: String.raw`
      @ TIMEOUT
      a12345678901234567890123456789012345678901234567890123456789012.@ TXT v=spf1 -all
      hosed.@ TXT v=spf1 a:\xEF\xBB\xBFgarbage.example.net -all
      hosed2.@ TXT v=spf1 \x80a:example.net -all
      hosed3.@ TXT v=spf1 a:example.net \x96all
      nothosed.@ TXT v=spf1 a:example.net -all
      nothosed.@ TXT \x96
      ctrl.@ TXT v=spf1 a:ctrl.@\x0dptr -all
      ctrl.@ A 192.0.2.3
      fine.@ TXT v=spf1 a  -all`,
    cases: `
      none 1.2.3.5 A123456789012345678901234567890123456789012345678901234567890123.@
      fail 1.2.3.5 A12345678901234567890123456789012345678901234567890123456789012.@
      none 1.2.3.5 A...@
      none 1.2.3.5 A2345678
      none 1.2.3.5 [1.2.3.5]
      permerror 1.2.3.4 hosed.@
      permerror 1.2.3.4 hosed2.@
      permerror 1.2.3.4 hosed3.@
      fail 1.2.3.4 nothosed.@
      permerror 192.0.2.3 ctrl.@
      fail 1.2.3.4 fine.@
      temperror 1.2.3.4 @`,
  },
  {
    subject: 'the selection of records (4.4, 4.5)',
    zone: `
      e1.@ TXT v=spf1
      e2.@ TXT v=spf1mx
      e3.@ TXT v=spf10
      e3.@ TXT v=spf1 mx
      e3.@ MX mail.@
      mail.@ A 1.2.3.4
      e5.@ TXT v=spf1 -all
      e5.@ TXT v=spf1 +all
      e6.@ TXT v=spf1 -all
      e6.@ TXT V=sPf1 +all
      e9.@ TXT v=SpF1 ~all`,
    cases: `
      neutral 1.2.3.4 e1.@
      none 1.2.3.4 e2.@
      pass 1.2.3.4 e3.@
      permerror 1.2.3.4 e5.@
      permerror 1.2.3.4 e6.@
      none 1.2.3.4 mail.@
      softfail 1.2.3.4 e9.@`,
  },
  {
    subject: 'record evaluation (4.6, 4.7, 4.8)',
    zone: `
      mail.@ A 1.2.3.4
      t1.@ TXT v=spf1 ip4:1.2.3.4 -all moo
      t2.@ TXT v=spf1 moo.cow-far_out=man:dog/cat ip4:1.2.3.4 -all
      t3.@ TXT v=spf1 moo.cow/far_out=man:dog/cat ip4:1.2.3.4 -all
      t4.@ TXT v=spf1 moo.cow:far_out=man:dog/cat ip4:1.2.3.4 -all
      t5.@ TXT v=spf1 redirect=t5.@ ~all
      t6.@ TXT v=spf1 ip4:1.2.3.4 redirect=t2.@
      t7.@ TXT v=spf1 ip4:1.2.3.4
      t8.@ TXT v=spf1 ip4:1.2.3.4 redirect:t2.@
      t9.@ TXT v=spf1 a:foo-bar -all
      t10.@ TXT v=spf1 a:mail.example...com -all
      t11.@ TXT v=spf1 a:a123456789012345678901234567890123456789012345678901234567890123.@ -all
      t12.@ TXT v=spf1 a:%{H}.bar -all`,
    cases: `
      permerror 1.2.3.4 t1.@
      pass 1.2.3.4 t2.@
      permerror 1.2.3.4 t3.@
      permerror 1.2.3.4 t4.@
      softfail 1.2.3.4 t5.@
      fail 1.2.3.5 t6.@
      neutral 1.2.3.5 t7.@
      permerror 1.2.3.4 t8.@
      permerror 1.2.3.4 t9.@
      fail|permerror 1.2.3.4 t10.@
      fail|permerror 1.2.3.4 t11.@
      fail|permerror 1.2.3.4 t12.@ helo=%%%%%%%%%%%%%%%%%%%%%%`,
  },
  {
    subject: 'all (5.1)',
    zone: `
      e1.@ TXT v=spf1 -all.
      e2.@ TXT v=spf1 -all:foobar
      e3.@ TXT v=spf1 -all/8
      e4.@ TXT v=spf1 ?all
      e5.@ TXT v=spf1 all -all`,
    cases: `
      permerror 1.2.3.4 e1.@
      permerror 1.2.3.4 e2.@
      permerror 1.2.3.4 e3.@
      neutral 1.2.3.4 e4.@
      pass 1.2.3.4 e5.@`,
  },
  {
    subject: 'include (5.2)',
    zone: `
      ip5.@ TXT v=spf1 ip4:1.2.3.5 -all
      ip6.@ TXT v=spf1 ip4:1.2.3.6 ~all
      ip7.@ TXT v=spf1 ip4:1.2.3.7 ?all
      ip8.@ TIMEOUT
      erehwon.@ TXT v=spfl am not an SPF record
      e1.@ TXT v=spf1 include:ip5.@ ~all
      e2.@ TXT v=spf1 include:ip6.@ all
      e3.@ TXT v=spf1 include:ip7.@ -all
      e4.@ TXT v=spf1 include:ip8.@ -all
      e5.@ TXT v=spf1 include:e6.@ -all
      e6.@ TXT v=spf1 include +all
      e7.@ TXT v=spf1 include:erehwon.@ -all
      e8.@ TXT v=spf1 include: -all
      e9.@ TXT v=spf1 include:ip5.@/24 -all`,
    cases: `
      softfail 1.2.3.4 e1.@
      pass 1.2.3.4 e2.@
      fail 1.2.3.4 e3.@
      temperror 1.2.3.4 e4.@
      permerror 1.2.3.4 e5.@
      permerror 1.2.3.4 e6.@
      permerror 1.2.3.4 e7.@
      permerror 1.2.3.4 e8.@
      permerror 1.2.3.4 e9.@`,
  },
  {
    subject: 'a (5.3)',
    zone: String.raw`
      e1.@ TXT v=spf1 a/0 -all
      e2.@ A 1.1.1.1
      e2.@ AAAA 1234::2
      e2.@ TXT v=spf1 a/0 -all
      e2a.@ AAAA 1234::1
      e2a.@ TXT v=spf1 a//0 -all
      e2b.@ A 1.1.1.1
      e2b.@ TXT v=spf1 a//0 -all
      ipv6.@ AAAA 1234::1
      ipv6.@ A 1.1.1.1
      ipv6.@ TXT v=spf1 a -all
      e3.@ TXT v=spf1 a:foo.@\x00
      e4.@ TXT v=spf1 a:111.222.33.44
      e5.@ TXT v=spf1 a:abc.123
      e5a.@ TXT v=spf1 a:museum
      e5b.@ TXT v=spf1 a:museum.
      e6.@ TXT v=spf1 a//33 -all
      e6a.@ TXT v=spf1 a/33 -all
      e7.@ TXT v=spf1 a//129 -all
      e8.@ A 1.2.3.5
      e8.@ AAAA 2001:db8:1234::dead:beef
      e8.@ TXT v=spf1 a/24//64 -all
      e8e.@ TXT v=spf1 a/24/64 -all
      e8a.@ AAAA 2001:db8:1234::dead:beef
      e8a.@ TXT v=spf1 a/24 -all
      e8b.@ A 1.2.3.5
      e8b.@ TXT v=spf1 a//64 -all
      e9.@ TXT v=spf1 a:@:8080
      e10.@ TXT v=spf1 a:foo.@/24
      foo.@ A 1.1.1.1
      foo.@ A 1.2.3.5
      e11.@ TXT v=spf1 a:foo:bar/baz.@
      foo:bar/baz.@ A 1.2.3.4
      e12.@ TXT v=spf1 a:example.-com
      e13.@ TXT v=spf1 a:
      e14.@ TXT v=spf1 a:foo.example.xn--zckzah -all
      foo.example.xn--zckzah A 1.2.3.4`,
    cases: `
      fail 1.2.3.4 e6.@
      permerror 1.2.3.4 e6a.@
      permerror 1.2.3.4 e7.@
      pass 1.2.3.4 e8.@
      permerror 1.2.3.4 e8e.@
      pass 2001:db8:1234::cafe:babe e8.@
      fail 1.2.3.4 e8b.@
      fail 2001:db8:1234::cafe:babe e8a.@
      pass 1.2.3.4 e10.@
      permerror 1.2.3.4 e9.@
      fail 1.2.3.4 e1.@
      pass 1.2.3.4 e2.@
      fail 1234::1 e2.@
      fail 1.2.3.4 e2a.@
      fail ::FFFF:1.2.3.4 e2a.@
      pass 1234::1 e2a.@
      pass 1234::1 ipv6.@
      fail 1234::1 e2b.@
      permerror 1.2.3.5 e3.@
      permerror 1.2.3.4 e4.@
      permerror 1.2.3.4 e5.@
      pass 1.2.3.4 e14.@
      permerror 1.2.3.4 e12.@
      permerror 1.2.3.4 e5a.@
      permerror 1.2.3.4 e5b.@
      pass 1.2.3.4 e11.@
      pass ::FFFF:1.2.3.4 e11.@
      permerror 1.2.3.4 e13.@`,
  },
  {
    subject: 'mx (5.4)',
    zone: String.raw`
      mail.@ A 1.2.3.4
      mail.@ MX .
      mail.@ TXT v=spf1 mx
      e1.@ TXT v=spf1 mx/0 -all
      e1.@ MX e1.@
      e2.@ A 1.1.1.1
      e2.@ AAAA 1234::2
      e2.@ MX e2.@
      e2.@ TXT v=spf1 mx/0 -all
      e2a.@ AAAA 1234::1
      e2a.@ MX e2a.@
      e2a.@ TXT v=spf1 mx//0 -all
      e2b.@ A 1.1.1.1
      e2b.@ MX e2b.@
      e2b.@ TXT v=spf1 mx//0 -all
      e3.@ TXT v=spf1 mx:foo.@\x00
      e4.@ TXT v=spf1 mx
      e4.@ A 1.2.3.4
      e5.@ TXT v=spf1 mx:abc.123
      e6.@ TXT v=spf1 mx//33 -all
      e6a.@ TXT v=spf1 mx/33 -all
      e7.@ TXT v=spf1 mx//129 -all
      e9.@ TXT v=spf1 mx:@:8080
      e10.@ TXT v=spf1 mx:foo.@/24
      foo.@ MX foo1.@
      foo1.@ A 1.1.1.1
      foo1.@ A 1.2.3.5
      e11.@ TXT v=spf1 mx:foo:bar/baz.@
      foo:bar/baz.@ MX foo:bar/baz.@
      foo:bar/baz.@ A 1.2.3.4
      e12.@ TXT v=spf1 mx:example.-com
      e13.@ TXT v=spf1 mx: -all`,
    cases: `
      fail 1.2.3.4 e6.@
      permerror 1.2.3.4 e6a.@
      permerror 1.2.3.4 e7.@
      pass 1.2.3.4 e10.@
      permerror 1.2.3.4 e9.@
      fail 1.2.3.4 e1.@
      pass 1.2.3.4 e2.@
      fail 1234::1 e2.@
      fail 1.2.3.4 e2a.@
      fail ::FFFF:1.2.3.4 e2a.@
      pass 1234::1 e2a.@
      fail 1234::1 e2b.@
      permerror 1.2.3.5 e3.@
      permerror 1.2.3.4 e5.@
      pass 1.2.3.4 e11.@
      pass ::FFFF:1.2.3.4 e11.@
      permerror 1.2.3.4 e12.@
      neutral 1.2.3.4 mail.@
      neutral 1.2.3.4 e4.@
      permerror 1.2.3.4 e13.@`,
  },
  {
    subject: 'ptr (5.5)',
    zone: `
      mail.@ A 1.2.3.4
      mail.@ AAAA 2001:db8::1
      e1.@ TXT v=spf1 ptr/0 -all
      e2.@ TXT v=spf1 ptr:@ -all
      4.3.2.1.in-addr.arpa PTR e3.@
      4.3.2.1.in-addr.arpa PTR e4.@
      4.3.2.1.in-addr.arpa PTR mail.@
      ${nibbles('1', 'E.B.A.B.E.F.A.C')} PTR e3.@
      ${nibbles('1', '8.b.D.0.1.0.0.2')} PTR mail.Example.com
      e3.@ TXT v=spf1 ptr -all
      e3.@ A 1.2.3.4
      e3.@ AAAA CAFE:BABE::1
      e4.@ TXT v=spf1 ptr -all
      e5.@ TXT v=spf1 ptr:
      e6.@ TXT v=spf1 ptr:example.Com -all`,
    cases: `
      permerror 1.2.3.4 e1.@
      pass 1.2.3.4 e2.@
      pass 1.2.3.4 e3.@
      fail 1.2.3.4 e4.@
      pass CAFE:BABE::1 e3.@
      permerror 1.2.3.4 e5.@
      pass 2001:db8::1 e6.@`,
  },
  {
    subject: 'ip4 and ip6 (5.6)',
    zone: `
      e1.@ TXT v=spf1 ip4:1.1.1.1/0 -all
      e2.@ TXT v=spf1 ip4:1.2.3.4/32 -all
      e3.@ TXT v=spf1 ip4:1.2.3.4/33 -all
      e4.@ TXT v=spf1 ip4:1.2.3.4/032 -all
      e5.@ TXT v=spf1 ip4
      e6.@ TXT v=spf1 ip4:1.2.3.4//32
      e7.@ TXT v=spf1 -ip4:1.2.3.4 ip6:::FFFF:1.2.3.4
      e8.@ TXT v=spf1 ip4:1.2.3.4:8080
      e9.@ TXT v=spf1 ip4:1.2.3
      f1.@ TXT v=spf1 -all ip6
      f2.@ TXT v=spf1 ip6:::1.1.1.1/0
      f3.@ TXT v=spf1 ip6:::1.1.1.1/129
      f4.@ TXT v=spf1 ip6:::1.1.1.1//33
      f5.@ TXT v=spf1 ip6:Cafe:Babe:8000::/33
      f6.@ TXT v=spf1 ip6::CAFE::BABE`,
    cases: `
      pass 1.2.3.4 e1.@
      pass 1.2.3.4 e2.@
      permerror 1.2.3.4 e3.@
      permerror 1.2.3.4 e4.@
      permerror 1.2.3.4 e5.@
      permerror 1.2.3.4 e8.@
      permerror 1.2.3.4 e9.@
      permerror 1.2.3.4 e6.@
      fail ::FFFF:1.2.3.4 e7.@
      permerror 1.2.3.4 f1.@
      neutral 1.2.3.4 f2.@
      neutral ::FFFF:1.2.3.4 f2.@
      pass DEAF:BABE::CAB:FEE f2.@
      permerror 1.2.3.4 f3.@
      permerror 1.2.3.4 f4.@
      pass CAFE:BABE:8000:: f5.@
      neutral 1.2.3.4 f5.@
      permerror 1.2.3.4 f6.@`,
  },
  {
    subject: 'exists (5.7)',
    zone: `
      mail.@ A 1.2.3.4
      mail6.@ AAAA CAFE:BABE::4
      err.@ TIMEOUT
      e1.@ TXT v=spf1 exists:
      e2.@ TXT v=spf1 exists
      e3.@ TXT v=spf1 exists:mail.@/24
      e4.@ TXT v=spf1 exists:mail.@
      e5.@ TXT v=spf1 exists:mail6.@ -all
      e6.@ TXT v=spf1 exists:err.@ -all`,
    cases: `
      permerror 1.2.3.4 e1.@
      permerror 1.2.3.4 e2.@
      permerror 1.2.3.4 e3.@
      pass 1.2.3.4 e4.@
      pass CAFE:BABE::3 e4.@
      fail CAFE:BABE::3 e5.@
      temperror CAFE:BABE::3 e6.@`,
  },
  ...MORE_SUBJECTS,
];
