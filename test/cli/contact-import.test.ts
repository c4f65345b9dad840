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

function file(content: string | Buffer): string {
  const path = join(operator.dataDir, `kontak-${(serial += 1)}.csv`);
  writeFileSync(path, content);
  return path;
}
const load = (content: string | Buffer, ...options: string[]) =>
  operator.ask('contact', 'import', workspace, file(content), '--consent', ...options);
const contact = (email: string) => operator.ask('contact', 'show', workspace, email);
const refused = (line: number, reason: string) => ({ line, reason: expect.stringContaining(reason) as unknown });

describe('kurir contact import', () => {
  it('creates contacts as POST /contacts does, and answers the outcome of the lines', async () => {
    const content =
      '\ufeffemail,name,status,kota\r\n Budi@TÖKÖ.example ," Budi ""B"" ",,Bandung\r\nsari@x.example,,Unsubscribed\r\n';
    expect(await load(content)).toEqual({
      lines: 2,
      created: 2,
      existing: 0,
      refused: 0,
      errors: [],
      format: {
        encoding: 'utf-8',
        delimiter: 'comma',
        columns: { email: 'email', name: 'name', status: 'status' },
      },
    });
    expect(await contact('budi@xn--tk-fkab.example')).toMatchObject({
      email: 'budi@xn--tk-fkab.example',
      name: 'Budi "B"',
      status: 'subscribed',
      subscribed_at: '2026-01-05T03:00:00.000000Z',
    });
    expect(await contact('sari@x.example')).toMatchObject({ name: null, status: 'unsubscribed', subscribed_at: null });
  });

  // spec: docs/contract.md#subscribing-again: an import neither
  it('again changes nothing: names and statuses that exist stay', async () => {
    await load('email,name,status\nbudi@x.example,Budi,\n');
    const before = await contact('budi@x.example');
    expect(
      await load('email,name,status\nBUDI@x.example,Lain,complained\nsari@x.example,Sari,\nsari@x.example,,\n'),
    ).toMatchObject({ lines: 3, created: 1, existing: 2, refused: 0, errors: [] });
    expect(await contact('budi@x.example')).toEqual(before);
  });

  it('refuses lines with their number and reason, and takes the others: exit code 0', async () => {
    const lines = [
      'email,name,status',
      'bukan-alamat,A,',
      '"a@x.example","dua\r\nbaris",',
      ',B,',
      'b@x.example,C,,lebih',
      'c@x.example,D,aktif',
      `d@x.example,${'n'.repeat(256)},`,
      'e@x.example,"E" x,',
      'f@x.example,nul\0,',
      '',
      `g@x.example,${'g'.repeat(10_000_000)},`,
      'h@x.example,Håkon',
    ].join('\r\n');
    const latin = Buffer.from('\r\ni@x.example,Jos\u00e9,\r\nj@x.example,José,', 'latin1');
    expect(await load(Buffer.concat([Buffer.from(lines), latin]))).toMatchObject({
      lines: 12,
      created: 2,
      existing: 0,
      refused: 10,
      errors: [
        refused(2, 'The email field must be a valid email address.'),
        refused(5, 'The email field is required.'),
        refused(6, 'The line has 4 cells, but the header has only 3.'),
        refused(7, 'The status must be one of subscribed, unsubscribed, bounced, complained.'),
        refused(8, 'The name field must not be greater than 255 characters.'),
        refused(9, 'There is text after the closing quote of a cell.'),
        refused(10, 'NUL'),
        refused(12, 'longer than 1048576 bytes'),
        refused(14, 'not UTF-8'),
        refused(15, 'not UTF-8'),
      ],
    });
    expect(await contact('a@x.example')).toMatchObject({ name: 'dua\r\nbaris' });
    expect(await contact('h@x.example')).toMatchObject({ name: 'Håkon' });
  });

  it('takes the columns that --map names, and standard input', async () => {
    const stdin = 'Nama Lengkap,E-Mail,email\nSari,sari@x.example,lama@x.example\n';
    const argv = [
      'contact',
      'import',
      workspace,
      '-',
      '--consent',
      '--map',
      'email=e-mail',
      '--map',
      'name=Nama Lengkap',
    ];
    const { code, out } = await operator.run(argv, { stdin });
    expect({ code, out }).toEqual({
      code: 0,
      out: 'The file was read with email from "E-Mail", name from "Nama Lengkap".\n1 line, 1 created, 0 existing, 0 rejected\n',
    });
    expect(await contact('sari@x.example')).toMatchObject({ name: 'Sari' });
  });

  it('reads what a spreadsheet saves with semicolons in Windows-1252, and says so', async () => {
    const content = Buffer.from('Nama;Surel\r\nJosé;jose@x.example\r\n', 'latin1');
    const { code, out } = await operator.run(['contact', 'import', workspace, file(content), '--consent']);
    expect({ code, out }).toEqual({
      code: 0,
      out:
        'The file was read with encoding Windows-1252, delimiter semicolon, email from "Surel", name from "Nama".\n' +
        '1 line, 1 created, 0 existing, 0 rejected\n',
    });
    expect(await contact('jose@x.example')).toMatchObject({ name: 'José' });
  });

  it('lets --delimiter and --encoding override what the file shows', async () => {
    const content = 'email,name;x\na@x.example,Ã©\n';
    const given = ['--delimiter', 'comma', '--encoding', 'latin1', '--map', 'name=name;x'];
    expect(await load(content, ...given)).toMatchObject({
      created: 1,
      format: { encoding: 'windows-1252', delimiter: 'comma', columns: { email: 'email', name: 'name;x' } },
    });
  });

  it.each([
    [
      'Mailchimp, subscribed',
      'Email Address,First Name,Last Name,Address,MEMBER_RATING,OPTIN_TIME\na@x.example,Sari,Dewi,,2,2026-01-01 00:00:00\n',
      { name: 'Sari Dewi', status: 'subscribed' },
    ],
    [
      'Mailchimp, unsubscribed',
      'Email Address,First Name,Last Name,UNSUB_TIME,UNSUB_REASON\na@x.example,Sari,,2026-02-01 00:00:00,N/A\n',
      { name: 'Sari', status: 'unsubscribed' },
    ],
    [
      'Mailchimp, cleaned',
      'Email Address,First Name,Last Name,CLEAN_TIME\na@x.example,,,2026-02-01 00:00:00\n',
      { name: null, status: 'bounced' },
    ],
    ['Brevo', 'CONTACT ID;EMAIL;FIRSTNAME;LASTNAME\n1;a@x.example;Sari;Dewi\n', { name: 'Sari Dewi' }],
    ['listmonk', 'uuid,email,name,attributes,status\n0,a@x.example,Sari,{},enabled\n', { status: 'subscribed' }],
    ['listmonk', 'uuid,email,name,attributes,status\n0,a@x.example,Sari,{},blocklisted\n', { status: 'unsubscribed' }],
  ])('knows the columns of an export of %s', async (_, content, expected) => {
    expect(await load(content)).toMatchObject({ created: 1, refused: 0 });
    expect(await contact('a@x.example')).toMatchObject(expected);
  });

  it('says it to people line by line, with control characters escaped', async () => {
    const { code, out } = await operator.run(['contact', 'import', workspace, file('email\nx\n'), '--consent']);
    expect({ code, out }).toEqual({
      code: 1,
      out: 'line 2: The email field must be a valid email address.\n1 line, 0 created, 0 existing, 1 rejected\n',
    });
  });

  it('takes more lines than one transaction', async () => {
    const lines = Array.from({ length: 2_500 }, (_, n) => `u${n % 2_400}@x.example`);
    expect(await load(['email', ...lines].join('\n'))).toMatchObject({ lines: 2_500, created: 2_400, existing: 100 });
    expect(await load(['email', ...lines].join('\n'))).toMatchObject({ lines: 2_500, created: 0, existing: 2_500 });
  });

  it('is in the trail, with counts and without addresses', async () => {
    await load('email\nrahasia@x.example\n');
    const { out } = await operator.run(['log']);
    expect(out).toMatch(/contact import +\d+ +kontak-\d+\.csv: 1 line, 1 created, 0 existing, 0 rejected/);
    expect(out).not.toContain('rahasia');
  });

  it.each([
    ['', 'The file is empty.'],
    ['nama,kontak\n', 'The file has no column "email".'],
    ['email;name\n', null],
    ['email,EMAIL,Email\n', null],
    ['Email,EMAIL\n', 'The file has 2 columns for the email: "Email" and "EMAIL".'],
    ['Surel,E-Mail\n', 'The file has 2 columns for the email: "Surel" and "E-Mail".'],
    ['em\0ail,name\n', 'The header cannot be read. The line contains a NUL byte.'],
  ])('of a file with %j as its header', async (content, fault) => {
    const { code, err } = await operator.run(['contact', 'import', workspace, file(content), '--consent']);
    expect({ code, err }).toEqual({ code: fault ? 2 : 0, err: fault ? expect.stringContaining(fault) : '' });
  });

  it.each([
    [['contact', 'import', 'W', '/nowhere/kontak.csv', '--consent'], 'kontak.csv cannot be read: ENOENT'],
    [['contact', 'import', 'W', '/tmp', '--consent'], 'tmp cannot be read: it is a folder'],
    [
      ['contact', 'import', 'W', '-', '--consent', '--delimiter', '|'],
      '--delimiter must be one of comma, semicolon, tab',
    ],
    [['contact', 'import', 'W', '-', '--consent', '--encoding', 'ebcdic'], '--encoding must be one of utf-8, windows'],
    [['contact', 'import', 'W', '-'], '--consent is missing.'],
    [['contact', 'import', 'W', '-', '--consent', '--map', 'kota=X'], '--map must be <field>=<column>'],
    [['contact', 'import', 'W', '-', '--consent', '--map', 'email='], '--map must be <field>=<column>'],
    [['contact', 'import', 'W', '-', '--consent', '--map', 'email=A', '--map', 'email=B'], '--map names a field twice'],
    [
      ['contact', 'import', 'W', '-', '--consent', '--map', 'email=A', '--map', 'name=a'],
      '--map gives two fields the same column.',
    ],
  ])('%j is a usage error: exit code 2', async (argv, fault) => {
    const { code, out, err } = await operator.run(argv);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(fault) as unknown });
  });

  it('into a workspace or audience that is not there: exit code 1', async () => {
    const path = file('email\na@x.example\n');
    expect(await operator.run(['contact', 'import', 'Tiada', path, '--consent'])).toMatchObject({ code: 1 });
    expect(await operator.run(['audience', 'import', workspace, 'Tiada', path, '--consent'])).toMatchObject({
      code: 1,
    });
    expect(await operator.ask('contact', 'list', workspace)).toEqual({ data: [], next_after: null });
  });
});

describe('kurir audience import', () => {
  it('creates contacts and makes all of them members, once', async () => {
    await operator.ask('audience', 'create', workspace, 'Pelanggan');
    await load('email,name\nbudi@x.example,Budi\n');
    const path = file('email,name,status\nbudi@x.example,Lain,\nsari@x.example,Sari,bounced\nsari@x.example,,\nx,,\n');
    const argv = ['audience', 'import', workspace, 'Pelanggan', path, '--consent'];
    const answer = { lines: 4, refused: 1, errors: [refused(5, 'valid email address')] };
    expect(await operator.ask(...argv)).toMatchObject({ ...answer, created: 1, existing: 2 });
    expect(await operator.ask(...argv)).toMatchObject({ ...answer, created: 0, existing: 3 });
    expect(await operator.ask('audience', 'show', workspace, 'Pelanggan')).toMatchObject({ contacts_count: 2 });
    expect(await operator.ask('audience', 'export', workspace, 'Pelanggan')).toMatchObject({
      data: [
        { email: 'budi@x.example', name: 'Budi', status: 'subscribed', confirmed_at: expect.any(String) },
        { email: 'sari@x.example', name: 'Sari', status: 'bounced', confirmed_at: expect.any(String) },
      ],
      exported: 2,
    });
  });

  // spec: docs/contract.md#double-opt-in: consent in an import
  it('of double opt-in with --consent: members that count at once, without a mail, and who said so', async () => {
    await operator.ask('audience', 'create', workspace, 'Kabar', '--opt-in', 'double');
    await operator.ask('audience', 'import', workspace, 'Kabar', file('email\nbudi@x.example\n'), '--consent');
    expect(await operator.ask('audience', 'export', workspace, 'Kabar')).toMatchObject({
      data: [{ confirmed_at: expect.any(String) }],
    });
    expect(await contact('budi@x.example')).toMatchObject({ consent: [{ source: 'import', by: expect.any(String) }] });
    await operator.ask('contact', 'add', workspace, 'sari@x.example', '--audience', 'Kabar', '--consent');
    expect((await operator.ask('audience', 'members', workspace, 'Kabar'))['data']).toMatchObject([
      { membership: 'confirmed' },
      { email: 'sari@x.example', membership: 'confirmed' },
    ]);
  });

  it('of double opt-in without --consent: tells what the confirmation mails cost before anything is stored', async () => {
    await operator.ask('audience', 'create', workspace, 'Kabar', '--opt-in', 'double');
    const content = 'email,status\na@x.example,\nb@x.example,\na@x.example,\nc@x.example,unsubscribed\n';
    const argv = ['audience', 'import', workspace, 'Kabar', file(content)];
    const told = await operator.run(argv);
    expect(told).toMatchObject({ code: 2, out: '' });
    expect(told.err).toContain('Without --consent, this import sends 2 confirmation emails, which cost 2 coins');
    expect(await operator.run([...argv, '--confirmations', '1'])).toMatchObject({ code: 2 });
    expect(await operator.ask('contact', 'list', workspace)).toMatchObject({ data: [] });
    const columns = await operator.ask('contact', 'columns', workspace, argv[4]!, '--audience', 'Kabar');
    expect(columns).toMatchObject({ confirmations: { mails: 2, coins: 2, balance: expect.any(Number) } });
    await operator.ask('coins', 'top-up', workspace, '10');
    expect(await operator.run([...argv, '--confirmations', '2'])).toMatchObject({ code: 0 });
    expect((await operator.ask('audience', 'members', workspace, 'Kabar'))['data']).toMatchObject([
      { email: 'a@x.example', membership: 'pending' },
      { email: 'b@x.example', membership: 'pending' },
      { email: 'c@x.example', membership: 'pending' },
    ]);
  });

  it('without --consent: refused in an audience of single opt-in, and without the coins that it takes', async () => {
    await operator.ask('audience', 'create', workspace, 'Semua');
    await operator.ask('audience', 'create', workspace, 'Kabar', '--opt-in', 'double');
    const lines = Array.from({ length: 12_000 }, (_, n) => `u${n}@x.example`).join('\n');
    const path = file(`email\n${lines}\n`);
    const single = await operator.run(['audience', 'import', workspace, 'Semua', path, '--confirmations', '20000']);
    expect(single).toMatchObject({ code: 2, err: expect.stringContaining('--consent is missing.') as unknown });
    const poor = await operator.run(['audience', 'import', workspace, 'Kabar', path, '--confirmations', '12000']);
    expect(poor).toMatchObject({ code: 1, err: expect.stringContaining('Not enough coins') as unknown });
    expect(await operator.ask('contact', 'list', workspace)).toMatchObject({ data: [] });
  });
});
