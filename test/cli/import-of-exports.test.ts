import { beforeEach, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile();
let workspace: string;
let serial = 0;
beforeEach(async () => {
  workspace = `Toko ${(serial += 1)}`;
  await operator.ask('workspace', 'create', workspace);
});

function file(content: string | Buffer, name = `ekspor-${(serial += 1)}.csv`): string {
  const path = join(operator.dataDir, name);
  writeFileSync(path, content);
  return path;
}
const load = (content: string | Buffer, ...options: string[]) =>
  operator.run(['contact', 'import', workspace, file(content), '--consent', '--json', ...options]);

/** The statuses of a to z, by the letter of the address; those that are not there are left out. */
async function statuses(): Promise<Record<string, string>> {
  const { data } = await operator.ask('contact', 'list', workspace);
  const rows = data as { email: string; status: string }[];
  return Object.fromEntries(rows.map(({ email, status }) => [email[0]!, status]));
}

const [IN, OUT, BOUNCED, COMPLAINED] = ['subscribed', 'unsubscribed', 'bounced', 'complained'];
type Expected = Record<string, string | undefined>;

/** Each export with people who may get mail (a) and others; those who are left out are refused. */
const EXPORTS: readonly (readonly [string, string, Expected])[] = [
  ['Resend', 'email,first_name,last_name,unsubscribed\na@x.test,A,B,false\nb@x.test,,,true\n', { a: IN, b: OUT }],
  ['Plunk', 'email,subscribed\na@x.test,true\nb@x.test,false\n', { a: IN, b: OUT }],
  ['useSend', 'Email,First Name,Subscribed\na@x.test,A,Yes\nb@x.test,B,No\n', { a: IN, b: OUT }],
  [
    'HubSpot',
    'Email,Unsubscribed from all email,Opted out of email: News,Email hard bounce reason\n' +
      'a@x.test,false,,\nb@x.test,true,,\nc@x.test,,true,\nd@x.test,,,UNKNOWN_USER\n',
    { a: IN, b: OUT, c: OUT, d: BOUNCED },
  ],
  ['Mautic', 'firstname,email,doNotContact\nA,a@x.test,0\nB,b@x.test,1\n', { a: IN, b: OUT }],
  [
    'Klaviyo',
    'Email,Email Marketing Consent,Email Suppressions\na@x.test,SUBSCRIBED,[]\nb@x.test,UNSUBSCRIBED,\n' +
      "c@x.test,NEVER_SUBSCRIBED,\nd@x.test,SUBSCRIBED,['HARD_BOUNCE']\ne@x.test,SUBSCRIBED,SPAM_COMPLAINT\n" +
      'f@x.test,SUBSCRIBED,USER_SUPPRESSED\n',
    { a: IN, b: OUT, d: BOUNCED, e: COMPLAINED, f: OUT },
  ],
  ['Brevo', 'CONTACT ID;EMAIL;EMAIL_BLACKLIST\n1;a@x.test;false\n2;b@x.test;true\n', { a: IN, b: OUT }],
  ['Brevo, other names', 'EMAIL,Blocklisted\na@x.test,no\nb@x.test,yes\n', { a: IN, b: OUT }],
  [
    'listmonk',
    'uuid,email,status,subscription_status\n0,a@x.test,enabled,confirmed\n0,b@x.test,enabled,unsubscribed\n' +
      '0,c@x.test,blocklisted,confirmed\n0,d@x.test,enabled,unconfirmed\n',
    { a: IN, b: OUT, c: OUT },
  ],
  [
    'Kit',
    'email,status\na@x.test,active\nb@x.test,cancelled\nc@x.test,bounced\nd@x.test,complained\ne@x.test,inactive\n',
    { a: IN, b: OUT, c: BOUNCED, d: COMPLAINED },
  ],
  [
    'Campaign Monitor',
    'Email Address,Name,State\na@x.test,A,Active\nb@x.test,B,Unsubscribed\nc@x.test,C,Bounced\nd@x.test,D,Deleted\n' +
      'e@x.test,E,Unconfirmed\n',
    { a: IN, b: OUT, c: BOUNCED, d: OUT },
  ],
  [
    'MailPoet',
    'Email,List status,Global status\na@x.test,Subscribed,Subscribed\nb@x.test,Unsubscribed,Subscribed\n' +
      'c@x.test,Subscribed,Bounced\nd@x.test,Subscribed,Unconfirmed\n',
    { a: IN, b: OUT, c: BOUNCED },
  ],
  [
    'Constant Contact',
    'Email address,Email permission status\na@x.test,implicit\nb@x.test,unsubscribed\nc@x.test,pending_confirmation\n',
    { a: IN, b: OUT },
  ],
  ['MailerLite', 'Email,Status\na@x.test,Active\nb@x.test,Junk\nc@x.test,Unconfirmed\n', { a: IN, b: COMPLAINED }],
  ['AWeber', 'Email,Status\na@x.test,subscribed\nb@x.test,unsubscribed\nc@x.test,unconfirmed\n', { a: IN, b: OUT }],
  [
    'Drip',
    'email,status\na@x.test,active\nb@x.test,unsubscribed\nc@x.test,undeliverable\n',
    { a: IN, b: OUT, c: BOUNCED },
  ],
  [
    'Omnisend',
    'Email,Email status\na@x.test,subscribed\nb@x.test,nonSubscribed\nc@x.test,unsubscribed\n',
    { a: IN, c: OUT },
  ],
  [
    'Sendy',
    'Name,Email,Status\nA,a@x.test,Subscribed\nB,b@x.test,Complained\nC,c@x.test,Soft bounced\n',
    { a: IN, b: COMPLAINED, c: BOUNCED },
  ],
  [
    'Mailjet',
    'Email,IsExcludedFromCampaigns,IsOptInPending,IsSpamComplaining\na@x.test,false,false,false\nb@x.test,true,false,false\n' +
      'c@x.test,false,true,false\nd@x.test,false,false,true\n',
    { a: IN, b: OUT, d: COMPLAINED },
  ],
  ['Zoho CRM', 'Email,Email Opt Out\na@x.test,false\nb@x.test,true\n', { a: IN, b: OUT }],
  [
    'Ghost',
    'email,name,subscribed_to_emails,complimentary_plan\na@x.test,A,true,false\nb@x.test,B,false,true\n',
    { a: IN, b: OUT },
  ],
  [
    'Substack',
    'email,active_subscription,email_disabled\na@x.test,false,false\nb@x.test,true,true\n',
    { a: IN, b: OUT },
  ],
  ['beehiiv', 'email,status\na@x.test,active\nb@x.test,pending\nc@x.test,invalid\n', { a: IN, c: BOUNCED }],
  ['Shopify', 'Email,Accepts Email Marketing\na@x.test,yes\nb@x.test,no\n', { a: IN, b: OUT }],
  ['Mailchimp, cleaned', 'Email Address,MEMBER_RATING,CLEAN_TIME\na@x.test,2,2026-01-01 00:00:00\n', { a: BOUNCED }],
  [
    'Kurir',
    'email,name,status,joined_at,confirmed_at\na@x.test,A,subscribed,1,2026-01-01\nb@x.test,B,subscribed,1,\n',
    { a: IN },
  ],
];

describe('an export of another service', () => {
  // spec: docs/contract.md#import-columns: known exports
  it.each(EXPORTS)(
    '%s: who opted out, bounced, complained or never confirmed is not subscribed',
    async (_, csv, expected) => {
      const { json, err } = await load(csv);
      expect(err).toBe('');
      const lines = csv.trim().split('\n').length - 1;
      const known = Object.keys(expected).length;
      expect(json).toMatchObject({ lines, created: known, refused: lines - known });
      expect(await statuses()).toEqual(expected);
    },
  );
});

/** Columns that nobody explains, each with a cell of somebody who may not get mail. */
const DOUBTFUL: readonly (readonly [string, string, string])[] = [
  ['opted_in', 'true', 'false'],
  ['Setuju email', 'ya', 'tidak'],
  ['Newsletter', '1', '0'],
  ['gdpr consent', '2026-01-01', ''],
  ['Marketing permission', 'granted', 'denied'],
  ['email_verified', 'yes', 'no'],
  ['Bounces', '0', '3'],
  ['Spam complaints', '', '2026-01-01'],
  ['do-not-mail', '', 'x'],
  ['deleted_at', '', '2026-01-01'],
  ['Kondisi', 'aktif sekali', 'berhenti'],
  ['Catatan', 'pelanggan lama', 'Unsubscribed'],
  ['Grup', 'ya', 'tidak'],
  ['flag', '', 'Y'],
  ['', 'baik', 'opted out'],
];

describe('a column that may say who must get no mail', () => {
  // spec: docs/contract.md#import-columns: asked about
  it.each(DOUBTFUL)('%j is refused until it is explained, and nothing is stored', async (name, yes, no) => {
    const csv = `email,${name}\na@x.test,${yes}\nb@x.test,${no}\n`;
    const { code, err } = await load(csv);
    expect(code).toBe(2);
    expect(err).toContain('A column may say who must not receive email');
    expect(err).toContain(name === '' ? '\\"column 2\\"' : name);
    expect(await statuses()).toEqual({});
    const ignored = await load(csv, '--ignore', name === '' ? 'column 2' : name);
    expect(ignored).toMatchObject({ code: 0, json: { created: 2 } });
  });

  it.each(['"vip,unsubscribed"', '"vip; hard bounced"', "\"['vip', 'do not contact']\"", 'vip|spam'])(
    'is seen in a list: %s',
    async (tags) => {
      const { code, err } = await load(`email,Label\na@x.test,"vip,active"\nb@x.test,${tags}\n`);
      expect([code, await statuses()]).toEqual([2, {}]);
      expect(err).toContain('A column may say who must not receive email');
      expect(await load('email,Label\na@x.test,"vip,active"\n')).toMatchObject({ code: 0, json: { created: 1 } });
    },
  );

  it.each(['0000-00-00', '0000-00-00 00:00:00', '0000-00-00T00:00:00Z', 'NULL'])(
    'no date is none: %s',
    async (none) => {
      await load(`email,unsubscribed_at,cleaned_at\na@x.test,${none},${none}\nb@x.test,2024-01-02 03:04:05,${none}\n`);
      expect(await statuses()).toEqual({ a: IN, b: OUT });
    },
  );

  it('is found in the last of many lines, also from standard input', async () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => `u${n}@x.test,warga ${n}`);
    const csv = `email,Kelompok\n${lines.join('\n')}\nz@x.test,unsubscribed\n`;
    const argv = ['contact', 'import', workspace, '-', '--consent'];
    expect(await operator.run(argv, { stdin: csv })).toMatchObject({ code: 2 });
    expect(await statuses()).toEqual({});
    expect(await operator.run([...argv, '--ignore', 'kelompok'], { stdin: csv })).toMatchObject({ code: 0 });
  });

  it('is read as --map says, several in the same way', async () => {
    const csv =
      'email,mau,stop 1,stop 2\na@x.test,ya,,\nb@x.test,tidak,,\nc@x.test,ya,ya,\nd@x.test,ya,,1\ne@x.test,,,\nf@x.test,entah,,\n';
    const map = ['subscribed=mau', 'unsubscribed=stop 1', 'unsubscribed=stop 2'].flatMap((pair) => ['--map', pair]);
    const { json } = await load(csv, ...map);
    expect(json).toMatchObject({
      lines: 6,
      created: 4,
      refused: 2,
      errors: [
        { line: 6, reason: 'The contact has not agreed to receive email, or has not confirmed it: mau is "".' },
        { line: 7, reason: 'The mau must be yes or no.' },
      ],
    });
    expect(await statuses()).toEqual({ a: IN, b: OUT, c: OUT, d: OUT });
  });

  it.each([
    ['--ignore', 'tiada', 'The file has no column \\"tiada\\".'],
    ['--map', 'bounced=tiada', 'The file has no column \\"tiada\\".'],
    ['--map', 'kabar=grup', '--map must be <field>=<column>'],
  ])('%s %s: a usage error', async (option, value, fault) => {
    const { code, err } = await load('email,grup\na@x.test,Solo\n', option, value);
    expect([code, err]).toEqual([2, expect.stringContaining(fault)]);
  });

  it('does not hold up columns that say nothing of it', async () => {
    const csv =
      'ID,email,State,Zip,Phone,Orders,Plan,Mailing Address\n1,a@x.test,Jawa Barat,40115,0812,1,gold,Jl. Melati 1\n' +
      '0,b@x.test,,,,0,,\n';
    expect(await load(csv)).toMatchObject({ code: 0, json: { created: 2 } });
  });
});

describe('how a file is written', () => {
  it.each([
    ['a byte order mark', Buffer.from('\ufeff"E-MAIL","Un-Subscribed"\r\n"a@x.test","no"\r\n"b@x.test","YES"\r\n')],
    ['UTF-16', Buffer.from('\ufeffEMAIL\tUnsubscribed\na@x.test\t0\nb@x.test\t1\n', 'utf16le')],
    ['semicolons', Buffer.from('email;UNSUBSCRIBED\na@x.test;tidak\nb@x.test;ya\n')],
    ['spaces in names', Buffer.from(' e mail ,un_subscribed\na@x.test,false\nb@x.test,true\n')],
  ])('%s', async (_, content) => {
    expect(await load(content)).toMatchObject({ code: 0, json: { created: 2 } });
    expect(await statuses()).toEqual({ a: IN, b: OUT });
  });

  it('without a header, its first line is a contact, and its columns have numbers', async () => {
    expect(await load('Ani,a@x.test\nBudi,b@x.test\n')).toMatchObject({
      code: 0,
      json: { lines: 2, created: 2, format: { columns: { email: 'column 2' } } },
    });
    const asked = await load('c@x.test,no\nd@x.test,yes\n');
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('column 2') as unknown });
    expect(await load('c@x.test,no\nd@x.test,yes\n', '--map', 'unsubscribed=column 2')).toMatchObject({ code: 0 });
    expect(await statuses()).toEqual({ a: IN, b: IN, c: IN, d: OUT });
  });

  it('an address that one line shows as gone is not subscribed by another', async () => {
    await load('email,unsubscribed\na@x.test,no\na@x.test,yes\n');
    expect(await statuses()).toEqual({ a: OUT });
  });

  it('a run in which every line was refused ends with exit code 1', async () => {
    expect(await load('email\nx\ny\n')).toMatchObject({ code: 1, json: { lines: 2, refused: 2 } });
    expect(await load('email\nx\na@x.test\n')).toMatchObject({ code: 0 });
    expect(await load('email\n')).toMatchObject({ code: 0 });
  });
});

/** Lists of other services, with the reasons that are expected by address; `null`: the line is refused. */
const LISTS: readonly (readonly [string, string, string, Record<string, string | null>])[] = [
  [
    'SendGrid, bounces',
    'suppression_bounces.csv',
    'status,reason,email,created\n5.1.1,"550 5.1.1 The email account that you tried to reach does not exist",a@x.test,1443651141\n' +
      '4.2.2,mailbox full,b@x.test,1443651154\n',
    { a: 'hard_bounce', b: 'hard_bounce' },
  ],
  [
    'SendGrid, spam reports',
    'suppression_spam_reports.csv',
    'email,ip,created\na@x.test,10.0.0.1,1443651141\n',
    { a: 'complaint' },
  ],
  ['SendGrid, unsubscribes', 'suppression_unsubscribes.csv', 'email,created\na@x.test,1443651141\n', { a: 'manual' }],
  [
    'SendGrid, invalid emails',
    'suppression_invalid_emails.csv',
    'reason,email,created\nMail domain mentioned in email address is unknown,a@x.test,1\n',
    { a: 'hard_bounce' },
  ],
  [
    'SendGrid, blocks',
    'suppression_blocks.csv',
    'status,reason,email,created\n5.7.1,"554 5.7.1 Blocked as spam",a@x.test,1\n5.1.1,550 5.1.1 User unknown,b@x.test,1\n',
    { a: null, b: 'hard_bounce' },
  ],
  [
    'Mailgun, bounces',
    'bounces.csv',
    'address,code,error,created_at\na@x.test,550,550 5.1.1 No such user,"Fri, 21 Oct 2011 11:02:55 GMT"\n',
    { a: 'hard_bounce' },
  ],
  ['Mailgun, unsubscribes', 'unsubscribes.csv', 'address,tags,created_at\na@x.test,*,1\n', { a: 'manual' }],
  [
    'Postmark',
    'suppressions.csv',
    'EmailAddress,SuppressionReason,Origin,CreatedAt\na@x.test,HardBounce,Recipient,1\nb@x.test,SpamComplaint,Recipient,1\n' +
      'c@x.test,ManualSuppression,Customer,1\n',
    { a: 'hard_bounce', b: 'complaint', c: 'manual' },
  ],
  [
    'Amazon SES',
    'ses.csv',
    'EmailAddress,Reason,LastUpdateTime\na@x.test,BOUNCE,1\nb@x.test,COMPLAINT,1\n',
    { a: 'hard_bounce', b: 'complaint' },
  ],
  [
    'Resend',
    'resend.csv',
    'email,origin\na@x.test,bounce\nb@x.test,complaint\nc@x.test,manual\n',
    { a: 'hard_bounce', b: 'complaint', c: 'manual' },
  ],
  [
    'Brevo',
    'brevo.csv',
    'email;reason\na@x.test;hardBounce\nb@x.test;contactFlaggedAsSpam\nc@x.test;unsubscribedViaEmail\n',
    { a: 'hard_bounce', b: 'complaint', c: 'manual' },
  ],
  [
    'SparkPost',
    'sparkpost.csv',
    'recipient,type,source,description\na@x.test,transactional,Bounce Rule,550 5.1.1\nb@x.test,non_transactional,Spam Complaint,\n' +
      'c@x.test,non_transactional,Unsubscribe Link,\n',
    { a: 'hard_bounce', b: 'complaint', c: 'manual' },
  ],
  [
    'Mandrill',
    'mandrill.csv',
    'email,reason,detail\na@x.test,hard-bounce,\nb@x.test,soft-bounce,\nc@x.test,spam,\nd@x.test,unsub,\n',
    { a: 'hard_bounce', b: null, c: 'complaint', d: 'manual' },
  ],
  ['Mailchimp, cleaned', 'cleaned.csv', 'Email Address,CLEAN_TIME\na@x.test,2026-01-01\n', { a: 'hard_bounce' }],
  ['no header', 'list.csv', 'a@x.test\nb@x.test\n', { a: 'manual', b: 'manual' }],
];

describe('a suppression list of another service', () => {
  const add = (path: string, ...options: string[]) =>
    operator.run(['suppress', 'import', path, '--workspace', workspace, '--json', ...options]);
  const reasonOf = async (letter: string) =>
    (await operator.run(['suppress', 'check', `${letter}@x.test`, '--workspace', workspace, '--json'])).json as object;

  // spec: docs/contract.md#import-columns: suppression lists
  it.each(LISTS)('%s is read with its reasons', async (_, name, csv, expected) => {
    const { err } = await add(file(csv, name));
    expect(err).toBe('');
    for (const [letter, reason] of Object.entries(expected)) expect(await reasonOf(letter)).toMatchObject({ reason });
  });

  it('gets the reason that --reason says where its lines say none', async () => {
    const csv = 'address,created_at\na@x.test,"Fri, 21 Oct 2011 11:02:55 GMT"\n';
    expect(await add(file(csv), '--reason', 'complaint')).toMatchObject({ code: 0 });
    expect(await reasonOf('a')).toMatchObject({ reason: 'complaint' });
    expect(await add(file(csv), '--reason', 'bosan')).toMatchObject({ code: 2 });
  });

  it('of which every line was refused ends with exit code 1', async () => {
    expect(await add(file('email,reason\na@x.test,soft bounce\nx,\n'))).toMatchObject({
      code: 1,
      json: { lines: 2, blocked: 0, refused: 2 },
    });
    expect(await reasonOf('a')).toMatchObject({ can_send: true });
  });
});
