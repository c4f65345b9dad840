import { describe, expect, it } from '@jest/globals';
import { createPublicKey, createVerify, createSign } from 'node:crypto';
import { dkimContext } from '../../domain/settings/sending-domain';
import { wibTime } from '../../domain/wib';
import { frozenClock } from '../support/clock';
import { TestOperator } from '../support/test-operator';
import { DomainScene, SPF, type DnsRow } from './domain-scene';

const scene = DomainScene.ofFile();
const { newDomain, publish, check } = scene;

describe('kurir domain add', () => {
  it('prints the records ready to paste: DKIM, bounce MX, SPF, DMARC', async () => {
    const { code, out } = await scene.operator.run(['domain', 'add', '1', 'Mawar.Example']);
    expect(code).toBe(0);
    expect(out).toContain('status     pending_dns');
    expect(out).toMatch(
      /name {3}kurir\._domainkey\.mawar\.example\n {2}type {3}TXT\n {2}value {2}v=DKIM1; k=rsa; p=MII/,
    );
    expect(out).toContain('name   bounce.mawar.example\n  type   MX\n  value  10 mail.example.net.\n');
    expect(out).toContain(`value  v=spf1 ${SPF} -all\n`);
    expect(out).toContain(
      'name   _dmarc.mawar.example\n  type   TXT\n  value  v=DMARC1; p=none; rua=mailto:dmarc@bounce.mawar.example\n',
    );
  });

  it('prints the public half of the sealed key: what that signs, this verifies', async () => {
    const { name, dns: records } = await newDomain();
    const pem = await scene.operator.withKeyring(async (keyring, { stores }) => {
      const domain = await stores.domains.findByName(name);
      return keyring.open(domain!.dkimKeySealed, dkimContext(name));
    });
    const spki = /p=(.+)$/.exec(records[0]!.value)![1]!;
    const publicKey = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });
    const signature = createSign('sha256').update('mail').sign(pem);
    expect(createVerify('sha256').update('mail').verify(publicKey, signature)).toBe(true);
  });

  // spec: docs/contract.md#transactional-mail: a domain is added as one
  it('adds a transactional one at once, and says so in the trail', async () => {
    const category = ['--category', 'transactional'];
    const added = await scene.operator.ask('domain', 'add', 'Toko Melati', 'akun.example', ...category);
    expect(added).toMatchObject({ domain: 'akun.example', category: 'transactional', track_clicks: false });
    expect(await scene.operator.ask('domain', 'show', 'akun.example')).toMatchObject({ category: 'transactional' });
    expect((await scene.operator.run(['log', '--limit', '1'])).out).toMatch(
      /domain add +1 +akun\.example: transactional\n/,
    );
    const refused = await scene.operator.run(['domain', 'add', 'Toko Melati', 'lain.example', '--category', 'bulk']);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--category')]);
    expect((await scene.operator.run(['domain', 'show', 'lain.example'])).code).toBe(1);
  });

  it('as a zone file: one line a record, text in pieces of 255 characters at most', async () => {
    await newDomain('zona.example');
    const { out } = await scene.operator.run(['domain', 'show', 'zona.example', '--zone']);
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^kurir\._domainkey\.zona\.example\. 3600 IN TXT \( "v=DKIM1.{1,248}" "[^"]{1,255}" \)$/);
    expect(lines[1]).toBe('bounce.zona.example. 3600 IN MX 10 mail.example.net.');
  });

  it('keeps names of other scripts as the DNS has them, and finds them by either', async () => {
    const { name } = await newDomain('tökö.example');
    expect(name).toBe('xn--tk-fkab.example');
    expect((await scene.operator.ask('domain', 'show', 'TÖKÖ.example')).domain).toBe(name);
  });

  it('a name that is taken is refused, with whose it is', async () => {
    await newDomain('sudah.example');
    const { code, err } = await scene.operator.run(['domain', 'add', '1', 'sudah.example']);
    expect({ code, err }).toEqual({
      code: 1,
      err: '<name>: sudah.example already belongs to workspace 1.\nkurir domain show sudah.example shows it.\n',
    });
  });

  it.each([
    'example',
    'a..b',
    '127.0.0.1',
    '-a.example',
    'a b.example',
    'x@y.example',
    'http://a.example',
    `${'a.'.repeat(120)}b`,
  ])('the name "%s" is refused with exit code 2', async (name) => {
    const { code, err } = await scene.operator.run(['domain', 'add', '1', '--', name]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('<name> must be a domain name') as unknown });
  });
});

describe('kurir domain check, with real look-ups', () => {
  it('exit code 0 when every record is there; a long DKIM key comes over TCP', async () => {
    const { name, dns: records } = await newDomain();
    publish(
      records.map((record) =>
        record.purpose === 'dkim' ? { ...record, value: `${record.value}; n=${'x'.repeat(200)}` } : record,
      ),
    );
    const { code, ok, statuses } = await check(name);
    expect(statuses).toEqual({ dkim: 'ok', bounce: 'ok', spf: 'ok', dmarc: 'ok' });
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(scene.dns.overTcp).toBeGreaterThan(0);
  });

  it('exit code 1 and what is missing, when nothing is there; the domain stays as it is', async () => {
    const { name } = await newDomain();
    const { code, statuses } = await check(name);
    expect(statuses).toEqual({ dkim: 'missing', bounce: 'missing', spf: 'missing', dmarc: 'missing' });
    expect(code).toBe(1);
    expect((await scene.operator.ask('domain', 'show', name)).status).toBe('pending_dns');
  });

  it('shows what was found beside what was expected', async () => {
    const { name, dns: records } = await newDomain();
    publish(records);
    scene.dns.set('MX', `bounce.${name}`, '5 other.example.net');
    const { code, out } = await scene.operator.run(['domain', 'check', name, '--resolver', scene.dns.address]);
    expect(code).toBe(1);
    expect(out).toContain(`differs  MX   bounce.${name}\n`);
    expect(out).toContain('it points to another host\n');
    expect(out).toContain('found     5 other.example.net.\n');
    expect(out).toContain('expected  10 mail.example.net.\n');
  });

  it.each([
    ['dkim', 'TXT', 'kurir._domainkey.', ['v=DKIM1; k=rsa; p=AAAA'], 'the key is a different one'],
    ['dkim', 'TXT', 'kurir._domainkey.', ['v=DKIM1; p='], 'the key is revoked (p= is empty)'],
    ['dkim', 'TXT', 'kurir._domainkey.', ['hello'], 'the record is not a DKIM key'],
    ['spf', 'TXT', 'bounce.', ['v=spf1 ip4:198.51.100.1 -all'], `${SPF} is missing`],
    [
      'spf',
      'TXT',
      'bounce.',
      [`v=spf1 ${SPF} -all`, 'v=spf1 -all'],
      'there are several SPF records, which makes all of them invalid',
    ],
    ['spf', 'TXT', 'bounce.', [`v=spf1 ${SPF} +all`], 'it allows any server to send (+all)'],
    [
      'dmarc',
      'TXT',
      '_dmarc.',
      ['v=DMARC1; rua=mailto:a@b.example'],
      'it has no policy (p=none, quarantine or reject)',
    ],
    [
      'dmarc',
      'TXT',
      '_dmarc.',
      ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
      'there are several DMARC records, which makes all of them invalid',
    ],
  ] as const)('%s differs: %s %s%j', async (purpose, type, prefix, values, fault) => {
    const { name, dns: records } = await newDomain();
    publish(records);
    scene.dns.set(type, `${prefix}${name}`, ...values);
    const { code, of } = await check(name);
    expect({ code, ...of(purpose) }).toMatchObject({ code: 1, status: 'differs', fault, found: [...values] });
  });

  it('takes other ways to write the same: white space, order, a DMARC record of the parent', async () => {
    const { name, dns: records } = await newDomain('news.induk.example');
    publish(records);
    const key = /p=(.+)$/.exec(records[0]!.value)![1]!;
    scene.dns.set('TXT', `kurir._domainkey.${name}`, `k=rsa;p=${key.slice(0, 40)} ${key.slice(40)} ; v=DKIM1`);
    scene.dns.set('TXT', `bounce.${name}`, 'some-verification=1', `v=spf1 include:x.example ${SPF} ~all`);
    scene.dns.set('TXT', 'x.example', 'v=spf1 ip4:192.0.2.0/24 -all');
    scene.dns.records.delete(`TXT _dmarc.${name}`);
    scene.dns.set('TXT', '_dmarc.induk.example', 'v=DMARC1;p=quarantine');
    expect((await check(name)).statuses).toEqual({ dkim: 'ok', bounce: 'ok', spf: 'ok', dmarc: 'ok' });
  });

  it('a look-up that fails is neither missing nor right: unknown, exit code 1', async () => {
    const { name } = await newDomain();
    scene.dns.failing = 2;
    const { code, of } = await check(name);
    expect(code).toBe(1);
    expect(of('dkim')).toMatchObject({ status: 'unknown', fault: expect.stringContaining('ESERVFAIL') as unknown });
  });

  it.each(['nowhere', '1.2.3', '1.1.1.1:99999', '::1:53:x'])(
    '--resolver "%s" is refused with exit code 2',
    async (address) => {
      const { code, err } = await scene.operator.run(['domain', 'check', '1', '--resolver', address]);
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining('--resolver must be an IP address') as unknown,
      });
    },
  );
});

describe('kurir domain activate and suspend', () => {
  const activate = (name: string, ...more: string[]) =>
    scene.operator.run(['domain', 'activate', name, '--resolver', scene.dns.address, ...more]);
  const status = async (name: string) => (await scene.operator.ask('domain', 'show', name)).status;

  it('active when the DNS is right', async () => {
    const { name, dns: records } = await newDomain();
    publish(records);
    const { code, out } = await activate(name);
    expect({ code, end: out.endsWith(`${name} is active\n`) }).toEqual({ code: 0, end: true });
    expect(await status(name)).toBe('active');
  });

  it('dns_failed and exit code 1 when it is not; --force makes it active all the same', async () => {
    const { name } = await newDomain();
    expect((await activate(name)).code).toBe(1);
    expect(await status(name)).toBe('dns_failed');
    expect((await activate(name, '--force')).code).toBe(0);
    expect(await status(name)).toBe('active');
  });

  it('a domain that sends already stays active when its DNS is wrong', async () => {
    const { name } = await newDomain();
    await activate(name, '--force');
    expect((await activate(name)).code).toBe(1);
    expect(await status(name)).toBe('active');
  });

  it('suspended until it is activated again, by id too', async () => {
    const { name } = await newDomain();
    const { id } = await scene.operator.ask('domain', 'show', name);
    await scene.operator.ask('domain', 'suspend', String(id));
    expect(await status(name)).toBe('suspended');
    expect((await scene.operator.run(['domain', 'activate', String(id), '--force'])).code).toBe(0);
  });

  it.each(['check', 'activate', 'suspend', 'show'])(
    '%s of a domain that is not there names it, exit code 1',
    async (verb) => {
      const { code, err } = await scene.operator.run(['domain', verb, 'tidak-ada.example']);
      expect({ code, err }).toEqual({
        code: 1,
        err: '<domain>: no sending domain "tidak-ada.example" found.\nkurir domain list shows them.\n',
      });
    },
  );
});

describe('kurir domain rotate', () => {
  const rotate = (name: string, ...options: string[]) =>
    scene.operator.run(['domain', 'rotate', name, ...options, '--json']);
  const shown = async (name: string) => (await scene.operator.ask('domain', 'show', name)).dns as DnsRow[];
  const keysOf = async (name: string) =>
    Object.fromEntries((await shown(name)).map((row) => [row.purpose, row])) as Record<string, DnsRow | undefined>;
  const stored = (name: string) => scene.operator.with(async ({ stores }) => (await stores.domains.findByName(name))!);

  it('makes a key with a selector of its own, once; the old one signs on and the domain stays right', async () => {
    const { name, dns: records } = await newDomain();
    publish(records);
    const before = await stored(name);
    const made = await rotate(name);
    expect(made).toMatchObject({ code: 0, json: { rotation: 'pending', records: [] } });
    const { dkim, dkim_pending: pending } = await keysOf(name);
    expect(dkim).toEqual(records[0]);
    expect(pending?.name).toMatch(/^kurir-2026\d{4}-[0-9a-f]{4}\._domainkey\./);
    expect(pending?.value).not.toBe(dkim?.value);
    expect(await rotate(name)).toMatchObject({ code: 0, json: { dns: made.json.dns } });
    expect(await stored(name)).toMatchObject({ ...before, dkimPending: { selector: pending!.name.split('.')[0] } });
    const { code, ok, statuses } = await check(name);
    expect({ code, ok, pending: statuses.dkim_pending }).toEqual({ code: 0, ok: true, pending: 'missing' });
    expect((await scene.operator.run(['domain', 'show', name])).out).toContain('the next public key');
  });

  it('signs with it only once its record is found, and says how long the old one must stay', async () => {
    const { name, dns: records } = await newDomain();
    publish(records);
    await rotate(name);
    const activate = ['--activate', '--resolver', scene.dns.address];
    const early = await rotate(name, ...activate);
    expect(early).toMatchObject({
      code: 1,
      json: { rotation: 'pending', records: [{ purpose: 'dkim_pending', status: 'missing' }] },
    });
    const { dkim_pending: pending } = await keysOf(name);
    scene.dns.set('TXT', pending!.name, records[0]!.value);
    expect(await rotate(name, ...activate)).toMatchObject({ code: 1, json: { records: [{ status: 'differs' }] } });
    expect((await stored(name)).dkimSelector).toBe('kurir');
    publish([pending!]);
    const { out } = await scene.operator.run(['domain', 'rotate', name, ...activate]);
    const until = new Date(scene.operator.clock.now() + 7 * 86_400_000);
    expect(out).toContain(`${name} signs with the new key`);
    expect(out).toContain(`can be removed from ${wibTime(until.getTime())} WIB`);
    const after = await keysOf(name);
    expect(after.dkim).toEqual({ ...pending, purpose: 'dkim' });
    expect(after.dkim_retired).toMatchObject({ name: records[0]!.name, value: records[0]!.value });
    expect(after.dkim_pending).toBeUndefined();
    expect(await stored(name)).not.toMatchObject({ dkimKeySealed: undefined });
    expect(JSON.stringify((await stored(name)).dkimRetired)).not.toContain('keySealed');
    expect((await check(name)).statuses).toMatchObject({ dkim: 'ok', dkim_retired: 'ok' });
    expect((await scene.operator.run(['log', '--limit', '1'])).out).toContain(`${name}: signs with kurir-`);
    expect((await rotate(name, ...activate)).err).toContain('This domain has no key that waits');
  });

  it('drops it, and makes another one then', async () => {
    const { name } = await newDomain();
    await rotate(name);
    const { dkim_pending: first } = await keysOf(name);
    expect(await rotate(name, '--cancel')).toMatchObject({ code: 0, json: { rotation: 'cancelled' } });
    expect(await shown(name)).toHaveLength(4);
    expect((await rotate(name, '--cancel')).err).toContain('This domain has no key that waits');
    await rotate(name);
    expect((await keysOf(name)).dkim_pending?.value).not.toBe(first?.value);
  });

  it('begun by many at once makes one key, and all answer it', async () => {
    const { name } = await newDomain();
    const all = await Promise.all([1, 2, 3, 4].map(() => rotate(name)));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const { dkim_pending: pending } = await keysOf(name);
    for (const { json } of all) expect(json.dns).toContainEqual(pending);
  });

  it('activated by many at once retires one key', async () => {
    const { name } = await newDomain();
    await rotate(name);
    const all = await Promise.all([1, 2, 3, 4].map(() => rotate(name, '--activate', '--force')));
    expect(all.filter(({ code }) => code === 0)).toHaveLength(1);
    for (const { code, err } of all.filter((said) => said.code !== 0)) {
      expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/in the meantime|has no key/) as unknown });
    }
    expect((await stored(name)).dkimRetired).toHaveLength(1);
  });

  it('forgets a retired key a month after its record may be removed', async () => {
    const own = await TestOperator.open({ clock: frozenClock() });
    try {
      await own.ask('workspace', 'create', 'A');
      await own.ask('domain', 'add', 'A', 'a.example');
      const turn = async () => {
        await own.ask('domain', 'rotate', 'a.example');
        return (await own.ask('domain', 'rotate', 'a.example', '--activate', '--force')).dns as DnsRow[];
      };
      const count = (rows: DnsRow[]) => rows.filter(({ purpose }) => purpose === 'dkim_retired').length;
      expect(count(await turn())).toBe(1);
      expect(count(await turn())).toBe(2);
      own.clock.advance(38 * 86_400_000);
      expect(count((await own.ask('domain', 'show', 'a.example')).dns as DnsRow[])).toBe(0);
      expect(count(await turn())).toBe(1);
    } finally {
      own.remove();
    }
  });

  it.each([
    [['--activate', '--cancel'], 2, '--cancel must be used together with --activate'],
    [['--force'], 2, 'can only be used with --activate'],
    [['--cancel', '--resolver', '127.0.0.1'], 2, 'can only be used with --activate'],
    [['--activate', '--force'], 1, 'This domain has no key that waits'],
  ])('refuses %j', async (options, code, text) => {
    const { name } = await newDomain();
    const said = await rotate(name, ...options);
    expect([said.code, said.err]).toEqual([code, expect.stringContaining(text)]);
    expect(await shown(name)).toHaveLength(4);
  });
});

describe('kurir domain dns', () => {
  it('without a public host it says what is not known, and prints no record with a made-up one', async () => {
    const bare = await TestOperator.open();
    await bare.ask('workspace', 'create', 'A');
    const { dns: records } = (await bare.ask('domain', 'add', 'A', 'a.example')) as unknown as {
      dns: { value: string | null }[];
    };
    expect(records.map(({ value }) => value === null)).toEqual([false, true, true, false]);
    expect((await bare.run(['domain', 'dns'])).out).toContain('not known: set KURIR_PUBLIC_URL, or --mx-host');
    bare.remove();
  });

  it('lists every sending server in the SPF record', async () => {
    const KURIR_MTA_URL = 'main=smtp://203.0.113.9 near=smtp://127.0.0.1 warm=smtp://mta.example';
    const own = await TestOperator.open({ env: { KURIR_PUBLIC_URL: 'https://a.example', KURIR_MTA_URL } });
    expect(await own.ask('domain', 'dns')).toMatchObject({ spf: 'ip4:203.0.113.9 a:a.example a:mta.example' });
    own.remove();
  });

  it('changes one of the two and keeps the other; "default" takes it back', async () => {
    const own = await TestOperator.open({
      env: { KURIR_PUBLIC_URL: 'https://a.example', KURIR_MTA_URL: 'smtp://203.0.113.9' },
    });
    expect(await own.ask('domain', 'dns')).toEqual({ mx_host: 'a.example', spf: 'ip4:203.0.113.9' });
    await own.ask('domain', 'dns', '--mx-host', 'MX.example.');
    await own.ask('domain', 'dns', '--spf', 'include:relay.example  a:x.example');
    expect(await own.ask('domain', 'dns')).toEqual({ mx_host: 'mx.example', spf: 'include:relay.example a:x.example' });
    expect(await own.ask('domain', 'dns', '--mx-host', 'default')).toMatchObject({ mx_host: 'a.example' });
    const { code, err } = await own.run(['domain', 'dns', '--spf', 'everybody']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--spf must be SPF mechanisms') as unknown });
    own.remove();
  });
});

describe('kurir domain set', () => {
  const set = async (name: string, ...options: string[]) => scene.operator.run(['domain', 'set', name, ...options]);

  // spec: docs/contract.md#transactional-mail: set by the operator, with a trail
  it('makes a domain transactional, with tracked links when asked, and says so in the trail', async () => {
    const { name } = await newDomain();
    expect((await set(name, '--category', 'transactional')).out).toBe(`${name} is transactional, clicks not tracked\n`);
    expect((await set(name, '--track-clicks', 'on')).out).toBe(`${name} is transactional, clicks tracked\n`);
    const shown = await scene.operator.ask('domain', 'show', name);
    expect(shown).toMatchObject({ category: 'transactional', track_clicks: true });
    expect((await scene.operator.run(['domain', 'show', name])).out).toContain(
      'category   transactional, clicks tracked',
    );
    expect((await scene.operator.run(['domain', 'list'])).out).toMatch(/transactional/);
    const { data } = (await scene.operator.ask('log')) as { data: { action: string; target: string }[] };
    expect(data.filter(({ action, target }) => action === 'domain set' && target.includes(name))).toMatchObject([
      { target: `${name}: transactional, clicks tracked` },
      { target: `${name}: transactional, clicks not tracked` },
    ]);
  });

  it('back to marketing tracks as ever', async () => {
    const { name } = await newDomain();
    await set(name, '--category', 'transactional', '--track-clicks', 'on');
    expect((await set(name, '--category', 'marketing')).out).toBe(`${name} is marketing\n`);
    expect(await scene.operator.ask('domain', 'show', name)).toMatchObject({
      category: 'marketing',
      track_clicks: false,
    });
  });

  it.each([
    [['--category', 'loud'], 2, '--category must be one of marketing, transactional'],
    [[], 2, 'Nothing to change.'],
    [['--track-clicks', 'off'], 1, 'clicks in marketing email are always tracked'],
    [['--category', 'marketing', '--track-clicks', 'off'], 1, 'clicks in marketing email are always tracked'],
  ])('refuses %j', async (options, code, text) => {
    const { name } = await newDomain();
    const said = await set(name, ...options);
    expect([said.code, said.err]).toEqual([code, expect.stringContaining(text)]);
    expect(await scene.operator.ask('domain', 'show', name)).toMatchObject({ category: 'marketing' });
  });
});

describe('kurir domain activate, with a sending server and without KURIR_PUBLIC_URL', () => {
  it('refuses and names the setting; --force activates', async () => {
    const own = await TestOperator.open({ env: { KURIR_MTA_URL: 'smtp://mta.example' } });
    try {
      await own.ask('workspace', 'create', 'Toko Melati');
      await own.ask('domain', 'add', 'Toko Melati', 'melati.example');
      const refused = await own.run(['domain', 'activate', 'melati.example', '--resolver', scene.dns.address]);
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Set KURIR_PUBLIC_URL to') as unknown });
      expect(await own.ask('domain', 'show', 'melati.example')).toMatchObject({ status: 'pending_dns' });
      expect((await own.run(['domain', 'activate', 'melati.example', '--force'])).code).toBe(0);
    } finally {
      own.remove();
    }
  });
});
