import { nibbles, type Subject } from './subject';

/** The part of `SUBJECTS` about modifiers, macros and limits. */
export const MORE_SUBJECTS: readonly Subject[] = [
  {
    subject: 'modifiers (6)',
    zone: `
      e1.@ TXT v=spf1 exp=exp1.@ redirect=e2.@
      e2.@ TXT v=spf1 -all
      e3.@ TXT v=spf1 exp=exp1.@ redirect=e4.@
      e4.@ TXT v=spf1 -all exp=exp2.@
      e5.@ TXT v=spf1 1up=foo
      e6.@ TXT v=spf1 =all
      e7.@ TXT v=spf1 include:e3.@ -all exp=exp3.@
      e9.@ TXT v=spf1 -all foo=%abc
      e10.@ TXT v=spf1 redirect=erehwon.@
      e12.@ TXT v=spf1 exp= -all
      e13.@ TXT v=spf1 exp=e13msg.@ -all
      e14.@ TXT v=spf1 exp=e13msg.@ -all exp=e11msg.@
      e15.@ TXT v=spf1 redirect=e12.@ -all redirect=e12.@
      e16.@ TXT v=spf1 exp=-all
      e17.@ TXT v=spf1 redirect=-all ?all
      e18.@ TXT v=spf1 ?all redirect=
      e19.@ TXT v=spf1 default=pass
      e20.@ TXT v=spf1 default=+
      e21msg.@ TIMEOUT
      e21.@ TXT v=spf1 exp=e21msg.@ -all
      e23.@ TXT v=spf1 a:erehwon.@ a:foobar.com exp=nxdomain.com -all
      e24.@ TXT v=spf1 redirect=testimplicit.@
      e24.@ A 192.0.2.1
      testimplicit.@ TXT v=spf1 a -all
      testimplicit.@ A 192.0.2.2`,
    cases: `
      permerror 1.2.3.4 e10.@
      fail 1.2.3.4 e1.@
      permerror 1.2.3.4 e17.@
      fail 1.2.3.4 e7.@
      fail 1.2.3.4 e3.@
      permerror 1.2.3.4 e5.@
      permerror 1.2.3.4 e6.@
      permerror 1.2.3.4 e12.@
      fail 1.2.3.4 e13.@
      permerror 1.2.3.4 e16.@
      permerror 1.2.3.4 e14.@
      permerror 1.2.3.4 e18.@
      permerror 1.2.3.4 e15.@
      permerror 1.2.3.4 e9.@
      neutral 1.2.3.4 e19.@
      neutral 1.2.3.4 e20.@
      fail 1.2.3.4 e21.@
      fail 1.2.3.4 e23.@
      pass 192.0.2.2 e24.@`,
  },
  {
    subject: 'macros (7)',
    zone: `
      @.d.spf.@ TXT v=spf1 redirect=a.spf.@
      a.spf.@ TXT v=spf1 include:o.spf.@. ~all
      o.spf.@ TXT v=spf1 ip4:192.168.218.40
      msgbas2x.cos.@ A 192.168.218.40
      @ A 192.168.90.76
      @ TXT v=spf1 redirect=%{d}.d.spf.@.
      e1.@ TXT v=spf1 -exists:%(ir).sbl.@ ?all
      e1e.@ TXT v=spf1 exists:foo%(ir).sbl.@ ?all
      e1t.@ TXT v=spf1 exists:foo%.sbl.@ ?all
      e1a.@ TXT v=spf1 a:macro%%percent%_%_space%-url-space.@ -all
      macro%percent␠␠space%20url-space.@ A 1.2.3.4
      e2.@ TXT v=spf1 -all exp=%{r}.@
      e5.@ TXT v=spf1 a:%{a}.@ -all
      mx.@ A 192.168.218.41
      mx.@ A 192.168.218.42
      mx.@ AAAA CAFE:BABE::2
      mx.@ AAAA CAFE:BABE::3
      40.218.168.192.in-addr.arpa PTR mx.@
      41.218.168.192.in-addr.arpa PTR mx.@
      42.218.168.192.in-addr.arpa PTR mx.@
      42.218.168.192.in-addr.arpa PTR mx.e7.@
      ${nibbles('3', 'E.B.A.B.E.F.A.C')} PTR mx.@
      mx.e7.@ A 192.168.218.42
      mx.e7.@.should.@ A 127.0.0.2
      mx.@.ok.@ A 127.0.0.2
      e7.@ TXT v=spf1 exists:%{p}.should.@ ~exists:%{p}.ok.@
      p.@ TXT v=spf1 exists:%{p}.ok.@ -all
      e9.@ TXT v=spf1 a:%{H} -all
      e10.@ TXT v=spf1 -include:_spfh.%{d2} ip4:1.2.3.0/24 -all
      _spfh.@ TXT v=spf1 -a:%{h} +all
      e11.@ TXT v=spf1 exists:%{i}.%{l2r-}.user.%{d2}
      1.2.3.4.gladstone.philip.user.@ A 127.0.0.2
      e12.@ TXT v=spf1 exists:%{l2r+-}.user.%{d2}
      bar.foo.user.@ A 127.0.0.2
      v.@ TXT v=spf1 exists:%{ir}.%{v}.list.@ -all
      40.218.168.192.in-addr.list.@ A 127.0.0.2
      ${nibbles('1', 'e.b.a.b.e.f.a.c').replace('.ip6.arpa', '')}.ip6.list.@ A 127.0.0.2
      u.@ TXT v=spf1 exists:%{L}.u.@ -all
      ~jack%26jill%3Dup-a_b3.c.u.@ A 127.0.0.2
      zero.@ TXT v=spf1 exists:%{d0}.@ -all
      somewhat.long.exp.@ TXT v=spf1 exists:foobar.%{o}.%{o}.%{o}.%{o}.%{o}.%{o}.%{o}.%{o}.@ -all
      ${'somewhat.long.exp.@.'.repeat(8)}@ A 127.0.0.2`,
    cases: `
      pass 192.168.218.40 @
      permerror 192.168.218.40 e2.@
      permerror 192.168.218.40 e1.@
      permerror 192.168.218.40 e1e.@
      permerror 192.168.218.40 e1t.@
      pass 1.2.3.4 e1a.@
      permerror CAFE:BABE::192.168.218.40 e5.@
      fail 192.168.218.40 p.@
      pass 192.168.218.41 p.@
      fail CAFE:BABE::1 p.@
      pass CAFE:BABE::3 p.@
      pass|softfail 192.168.218.42 e7.@
      pass 192.168.218.40 e9.@ helo=msgbas2x.cos.@
      fail 192.168.218.40 e9.@ helo=JUMPIN'␠JUPITER
      fail 192.168.218.40 e9.@ helo=[192.168.218.40]
      fail 1.2.3.4 e10.@ helo=OEMCOMPUTER
      pass 1.2.3.4 e11.@ local=philip-gladstone-test
      pass 1.2.3.4 e12.@ local=foo-bar+zip+quux
      pass 192.168.218.40 v.@
      pass CAFE:BABE::1 v.@
      fail CAFE:BABE::2 v.@
      pass 192.168.218.40 u.@ local=~jack&jill=up-a_b3.c
      permerror 1.2.3.4 zero.@
      pass 192.168.218.40 somewhat.long.exp.@`,
  },
  {
    subject: 'limits (4.6.4)',
    zone: `
      mail.@ A 1.2.3.4
      e1.@ TXT v=spf1 ip4:1.1.1.1 redirect=e1.@
      e2.@ TXT v=spf1 include:e3.@
      e3.@ TXT v=spf1 include:e2.@
      e4.@ TXT v=spf1 mx
      ${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => 'e4.@ MX mail.@').join('\n')}
      e4.@ MX e4.@
      e4.@ A 1.2.3.5
      e5.@ TXT v=spf1 ptr
      e5.@ A 1.2.3.5
      ${[1, 2, 3, 4, 0, 6, 7, 8, 9, 10, 5].map((n) => `5.3.2.1.in-addr.arpa PTR e${n}.@.`).join('\n')}
      e6.@ TXT v=spf1 a mx a mx a mx a mx a ptr ip4:1.2.3.4 -all
      e6.@ A 1.2.3.8
      e6.@ MX e6.@
      e7.@ TXT v=spf1 a mx a mx a mx a mx a ptr a ip4:1.2.3.4 -all
      e7.@ A 1.2.3.20
      e7.@ MX e7.@
      e8.@ TXT v=spf1 a include:inc.@ ip4:1.2.3.4 mx -all
      e8.@ A 1.2.3.4
      inc.@ TXT v=spf1 a a a a a a a a
      inc.@ A 1.2.3.10
      e9.@ TXT v=spf1 a include:inc.@ a ip4:1.2.3.4 -all
      e9.@ A 1.2.3.21
      e10.@ TXT v=spf1 a -all
      ${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => `e10.@ A 1.2.3.${n}`).join('\n')}
      e11.@ TXT v=spf1 a:err.@ a:err1.@ a:err2.@ ?all
      e12.@ TXT v=spf1 a:err.@ a:err1.@ ?all`,
    cases: `
      permerror 1.2.3.4 e1.@
      permerror 1.2.3.4 e2.@
      permerror 1.2.3.5 e4.@
      neutral|pass 1.2.3.5 e5.@
      pass 1.2.3.12 e10.@
      pass 1.2.3.4 e6.@
      permerror 1.2.3.4 e7.@
      pass 1.2.3.4 e8.@
      permerror 1.2.3.4 e9.@
      neutral 1.2.3.4 e12.@
      permerror 1.2.3.4 e11.@`,
  },
];
