/**
 * A rule of bulk senders: what is expected, and why, with its source. `blocking`: receivers refuse mail because of it.
 */
interface Rule {
  level: 'blocking' | 'warning';
  expected: string;
  why: string;
}

const blocking = (expected: string, why: string): Rule => ({ level: 'blocking', expected, why });
const warning = (expected: string, why: string): Rule => ({ level: 'warning', expected, why });

const GMAIL = 'Gmail sender guidelines';
const ALL = 'Gmail, Yahoo and Microsoft require it of bulk senders';

/** What `kurir domain doctor` looks for, by the name of the finding. */
export const RULES = {
  'dns-failed': warning('a response from the DNS', 'receivers defer email when the DNS does not respond'),

  'dkim-missing': blocking('the public key of the domain', `${ALL}: every email is signed (RFC 6376)`),
  'dkim-several': blocking('one key under the selector', 'receivers may use the wrong one (RFC 6376 section 3.6.2.2)'),
  'dkim-revoked': blocking('the public key of the domain', 'an empty p= revokes the key (RFC 6376 section 3.6.1)'),
  'dkim-other-key': blocking('the public key of the domain', 'the signature of every email fails (RFC 6376)'),
  'dkim-no-key': blocking('v=DKIM1; k=rsa; p=...', 'the signature of every email fails (RFC 6376 section 3.6.1)'),
  'dkim-short-key': blocking('a key of 2048 bits', `${GMAIL}: 1024 at least, 2048 is recommended (RFC 8301)`),
  'dkim-testing': warning(
    'no t=y',
    'email is treated as unsigned while the domain tests DKIM (RFC 6376 section 3.6.1)',
  ),
  'dkim-hash': blocking('no h=, or one with sha256', 'email is signed with rsa-sha256 (RFC 8301)'),
  'dkim-service': blocking('no s=, or s=email', 'a key for another service verifies no email (RFC 6376 section 3.6.1)'),

  'spf-missing': blocking('an SPF record of the return path', `${ALL} (RFC 7208)`),
  'spf-several': blocking('one SPF record', 'several are an error, as if there were none (RFC 7208 section 4.5)'),
  'spf-lacks-server': blocking('the sending server in the record', 'SPF fails for every email (RFC 7208)'),
  'spf-open': blocking('-all or ~all at the end', '+all lets any server send in the name of the domain (RFC 7208)'),
  'spf-no-end': warning('-all or ~all at the end', 'without it, other senders get "neutral" (RFC 7208 section 4.7)'),
  'spf-syntax': blocking('mechanisms of RFC 7208', 'a record with an unknown one is an error (RFC 7208 section 4.6)'),
  'spf-look-ups': blocking('10 look-ups at most', 'a record with more is an error (RFC 7208 section 4.6.4)'),
  'spf-void': blocking('two names without a record at most', 'a record with more is an error (RFC 7208 section 4.6.4)'),
  'spf-include': blocking('an SPF record behind each include', 'an include of none is an error (RFC 7208 section 5.2)'),
  'spf-ptr': warning('no ptr', 'it is slow, and receivers skip it (RFC 7208 section 5.5)'),

  'return-path-missing': blocking(
    'an MX of the bounce domain',
    'bounces do not come back, and receivers refuse the sender',
  ),
  'return-path-elsewhere': blocking('an MX that points to Kurir', 'bounces do not come back'),
  'return-path-shared': warning('one MX', 'reports go to other hosts as well'),
  'return-path-host': blocking('an address of the MX host', 'bounces do not come back (RFC 5321 section 5.1)'),

  'dmarc-missing': blocking('a DMARC record', `${ALL} (RFC 7489)`),
  'dmarc-several': blocking('one DMARC record', 'several count as none (RFC 7489 section 6.6.3)'),
  'dmarc-policy': blocking(
    'p=none, quarantine or reject',
    'without a policy the record counts as none (RFC 7489 section 6.3)',
  ),
  'dmarc-no-reports': warning(
    'an address for reports (rua)',
    'no one sees who sends in the name of the domain (RFC 7489 section 6.3)',
  ),
  'dmarc-address': warning(
    'rua=mailto:<address>',
    'receivers send reports to email addresses only (RFC 7489 section 6.3)',
  ),
  'dmarc-agreement': warning(
    'the consent of the domain that gets the reports',
    'receivers send none without it (RFC 7489 section 7.1)',
  ),
  'dmarc-partial': warning('no pct=, or pct=100', 'some forged email passes (RFC 7489 section 6.3)'),
  'dmarc-strict-spf': warning(
    'aspf=r, or none',
    'the return path is on the bounce domain, so that SPF aligns in relaxed mode only (RFC 7489 section 3.1.2)',
  ),

  'from-no-host': blocking(
    'an MX or address of the domain',
    'receivers refuse senders that cannot receive replies (RFC 5321 section 5.1)',
  ),
  'from-null-mx': blocking(
    'no null MX',
    'a domain that accepts no email is refused as a sender (RFC 7505 section 4.2)',
  ),
  'reply-to-no-host': blocking(
    'an MX or address of its domain',
    'replies of recipients are lost, and spam filters check it',
  ),

  'bimi-policy': warning('p=quarantine or p=reject, for all email', 'the logo is not shown without it (BIMI)'),
  'bimi-logo': warning('v=BIMI1; l=https://....svg', 'the logo cannot be read (BIMI)'),

  'ptr-missing': blocking('a reverse name (PTR) of the sending server', `${GMAIL}: email is refused with 5.7.25`),
  'ptr-unconfirmed': blocking(
    'a reverse name that resolves back to the address',
    `${GMAIL}: email is refused with 5.7.25`,
  ),
  'ptr-generic': warning(
    'a host name that you chose',
    'a name made of the address looks like an end user (M3AAWG sending practices)',
  ),
  'server-silent': blocking('a sending server that responds', 'no email can be sent'),
  'helo-no-name': warning('a full host name', 'receivers refuse HELO names that are none (RFC 5321 section 4.1.1.1)'),
  'helo-no-address': warning('a name with an address', 'receivers look the HELO name up (M3AAWG sending practices)'),
  'server-no-tls': blocking('STARTTLS', `${GMAIL}: email is sent over TLS`),
  'server-certificate': warning('a certificate that is valid for two more weeks', 'email is sent over TLS only'),

  'public-address': blocking(
    'an https:// URL that recipients can reach',
    'one-click unsubscribe needs it (RFC 8058 section 3.1)',
  ),
  'one-click-unreachable': blocking('a response to the POST of RFC 8058', `${ALL}: one-click unsubscribe`),
  'one-click-redirect': blocking('no redirect', 'email apps do not follow it (RFC 8058 section 3.1)'),
  'one-click-refused': blocking(
    "Kurir's response",
    'something in front of Kurir intercepts the POST of RFC 8058, such as a proxy or a filter',
  ),
} as const satisfies Readonly<Record<string, Rule>>;

export type FindingName = keyof typeof RULES;

/** What a check found: its name in RULES, what is there, and the DNS line that would mend it. */
export interface Found {
  check: FindingName;
  found: string;
  /** Null: no line of the DNS does. */
  publish: string | null;
}

export type Finding = Found & Rule;

export const finding = (check: FindingName, found: string, publish: string | null = null): Found => ({
  check,
  found,
  publish,
});

/** With its rule: those that block come first. */
export const explained = (found: readonly Found[]): Finding[] =>
  found
    .map((of) => ({ ...of, ...RULES[of.check] }))
    .sort((a, b) => (a.level < b.level ? -1 : a.level > b.level ? 1 : 0));
