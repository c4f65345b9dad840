import { beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CampaignStatus } from '../../domain/campaigns/campaign';
import { aCampaign } from '../support/marketing';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile();
const file = (name: string, content: string): string => {
  const path = join(operator.dataDir, name);
  writeFileSync(path, content);
  return path;
};
beforeAll(async () => {
  for (const name of ['Melati', 'Mawar']) {
    await operator.ask('workspace', 'create', name, '--address', 'Bandung');
    await operator.ask('domain', 'add', name, `${name}.example`);
    await operator.ask('domain', 'activate', `${name}.example`, '--force');
    await operator.ask('audience', 'create', name, `Pelanggan ${name}`);
  }
  await operator.ask('audience', 'create', 'Melati', 'Setia');
  await operator.ask('domain', 'add', 'Melati', 'toko.melati.example');
});

const WHOLE = [
  '--preheader',
  'Hari ini',
  '--from',
  'a@melati.example',
  '--from-name',
  'Toko',
  '--reply-to',
  'b@c.example',
];
/** A draft with all its fields set. */
const created = async (): Promise<Record<string, unknown>> => {
  const html = file('promo.html', '<p>Halo {{unsubscribe_url}}</p>');
  const needed = ['--subject', 'Promo', '--audience', 'Pelanggan Melati', '--domain', 'melati.example'];
  return operator.ask('campaign', 'create', 'Melati', ...needed, '--html', html, '--text', file('t', 'Halo'), ...WHOLE);
};
const createdId = async (): Promise<string> => String((await created())['id']);
const stored = (status: CampaignStatus): Promise<string> =>
  operator.with(async ({ stores }) => {
    const sender = { workspace: { id: 1 }, domain: { id: 1 } } as Parameters<typeof aCampaign>[0];
    return String((await stores.campaigns.create(aCampaign(sender, 1, { status }))).id);
  });
const failing = async (...argv: string[]) => {
  const { code, err, out } = await operator.run(['campaign', ...argv]);
  expect(out).toBe('');
  return { code, err };
};

describe('kurir campaign create', () => {
  it('warns of what send would refuse, and send says the same, in English and with the command that mends it', async () => {
    await operator.ask('workspace', 'create', 'Kenanga');
    await operator.ask('domain', 'add', 'Kenanga', 'kenanga.example');
    await operator.ask('audience', 'create', 'Kenanga', 'Kabar');
    await operator.ask(
      'audience',
      'import',
      'Kenanga',
      'Kabar',
      file('kontak.csv', 'email\na@b.example\n'),
      '--consent',
    );
    const content = ['--html', file('kenanga.html', '<p>Halo {{unsubscribe_url}}</p>'), '--preheader', 'Baru'];
    const line = ['--subject', 'Promo', '--audience', 'Kabar', '--domain', 'kenanga.example', ...content];
    const { id, workspace_id: _, ...made } = await operator.ask('campaign', 'create', 'Kenanga', ...line);
    const { id: workspace } = await operator.ask('workspace', 'show', 'Kenanga');
    const refusals = [
      `The business address is missing: kurir workspace profile ${String(workspace)} --address <address>.`,
      'The sending domain is not active: kurir domain activate <domain>.',
      `Not enough coins: the campaign needs 1, and the balance is 0: kurir coins top-up ${String(workspace)} <coins>.`,
    ];
    expect(made['warnings']).toEqual(refusals.map((text) => `campaign send would refuse it: ${text}`));
    const mend = [
      ['workspace', 'profile', 'Kenanga', '--address', 'Bandung'],
      ['domain', 'activate', 'kenanga.example', '--force'],
      ['coins', 'top-up', 'Kenanga', '10'],
    ];
    for (const [n, step] of mend.entries()) {
      const { code, err } = await operator.run(['campaign', 'send', 'Kenanga', String(id)]);
      expect([code, err]).toEqual([1, `${refusals[n]}\n`]);
      await operator.ask(...step);
    }
    expect((await operator.run(['campaign', 'send', 'Kenanga', String(id)])).code).toBe(0);
  });

  // spec: docs/contract.md#prepare-a-campaign: what is found in the content are warnings
  it('answers warnings, in JSON and as text, and makes the campaign all the same', async () => {
    const html = file('w.html', '<a href="promo">x</a>{{kode}}');
    const line = ['campaign', 'create', 'Melati', '--subject', 'P', '--audience', '1', '--domain', '1', '--html', html];
    const expected = [
      'There is no preview text. Inboxes show the first words of the email instead.',
      'Relative links: promo. They do not work in an email; use the full URL.',
      'There is no unsubscribe link. A footer with one will be added.',
      'Unknown merge tags: {{kode}}. They are sent as written.',
    ];
    expect(await operator.ask(...line)).toMatchObject({ status: 'draft', warnings: expected });
    const { code, out } = await operator.run(line);
    expect(code).toBe(0);
    for (const warning of expected) expect(out).toContain(`warning  ${warning}\n`);
    expect((await created())['warnings']).toEqual([]);
  });
});

describe('kurir campaign edit', () => {
  it('changes what its options name, and nothing else', async () => {
    const made = await created();
    const id = String(made['id']);
    const html = file('baru.html', '<p>Baru {{unsubscribe_url}}</p>');
    const edited = await operator.ask('campaign', 'edit', 'Melati', id, '--html', html, '--audience', 'Setia');
    const expected = { ...made, html: '<p>Baru {{unsubscribe_url}}</p>', audience_id: 3 };
    const content_hash = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(edited).toEqual({ ...expected, content_hash });
    expect(edited['content_hash']).not.toBe(made['content_hash']);
    const subject = await operator.ask('campaign', 'edit', 'Melati', id, '--subject', 'Promo 2');
    expect(subject).toEqual({ ...expected, content_hash, subject: 'Promo 2' });
    const { warnings: _warnings, ...shown } = subject;
    expect(await operator.ask('campaign', 'show', 'Melati', id)).toEqual(shown);
    expect((await operator.run(['log'])).out).toMatch(new RegExp(`campaign edit +1 +${id} Promo 2`));
  });

  it('takes blocks in place of HTML, and names what is wrong with them', async () => {
    const id = String((await created())['id']);
    const blocks = [{ kind: 'text', text: 'Halo **{{nama|Kak}}**' }];
    const edited = await operator.ask(
      'campaign',
      'edit',
      'Melati',
      id,
      '--blocks',
      file('b.json', JSON.stringify(blocks)),
    );
    expect(edited).toMatchObject({ blocks, html: expect.stringContaining('<strong>{{nama|Kak}}</strong>') });
    for (const [text, problem] of [
      ['[{"text":"Halo"}]', 'blocks[0].kind is required.'],
      ['[{', 'is not JSON.'],
    ] as const) {
      const wrong = await operator.run(['campaign', 'edit', 'Melati', id, '--blocks', file('b.json', text)]);
      expect(wrong.code).toBe(2);
      expect(wrong.err).toContain(problem);
    }
    const html = file('c.html', '<p>Halo</p>');
    const both = await operator.run([
      'campaign',
      'edit',
      'Melati',
      id,
      '--html',
      html,
      '--blocks',
      file('d.json', JSON.stringify(blocks)),
    ]);
    expect(both).toMatchObject({
      code: 2,
      err: expect.stringContaining('--html and --blocks cannot be used together.'),
    });
    expect(await operator.ask('campaign', 'edit', 'Melati', id, '--html', html)).toMatchObject({ blocks: null });
  });

  it('sets back what --clear names', async () => {
    const made = await created();
    const id = String(made['id']);
    expect(await operator.ask('campaign', 'edit', 'Melati', id, '--clear', 'text, from-name')).toEqual({
      ...made,
      content_hash: expect.any(String),
      text: null,
      from_name: null,
    });
    const all = await operator.ask('campaign', 'edit', 'Melati', id, '--clear', 'preheader,from,reply-to');
    expect(all).toMatchObject({ preheader: null, from_email: null, reply_to: null, html: made['html'] });
  });

  it('works on scheduled campaigns too; of live, paused and completed ones it says why not: exit code 1', async () => {
    const scheduled = await stored('scheduled');
    expect(await operator.ask('campaign', 'edit', 'Melati', scheduled, '--subject', 'X')).toMatchObject({
      subject: 'X',
    });
    for (const status of ['live', 'paused', 'completed'] as const) {
      const id = await stored(status);
      expect(await failing('edit', 'Melati', id, '--subject', 'X')).toEqual({
        code: 1,
        err: expect.stringContaining(
          `campaign ${id} is ${status}: only a draft or a scheduled campaign can be edited.`,
        ) as unknown,
      });
    }
  });

  it.each([
    [['--domain', 'toko.melati.example'], 1, '--from: a@melati.example is not an address at toko.melati.example.'],
    [['--from', 'a@toko.melati.example'], 1, '--from: a@toko.melati.example is not an address at melati.example.'],
    [['--audience', 'Pelanggan Mawar'], 1, '--audience: no audience "Pelanggan Mawar"'],
    [['--domain', 'mawar.example'], 1, '--domain: no sending domain of the workspace "mawar.example"'],
    [[], 2, 'Nothing to change: no option was given.'],
    [['--preheader', 'X', '--clear', 'text,preheader'], 2, '--clear: preheader is also set by --preheader.'],
    [['--clear', 'html'], 2, '--clear must be one of text, preheader, from, from-name, reply-to'],
    [['--subject', ' '], 2, '--subject must not be empty'],
  ])('%j is refused, and nothing changes', async (argv, code, fault) => {
    const { warnings: _warnings, ...made } = await created();
    const id = String(made['id']);
    expect(await failing('edit', 'Melati', id, ...argv)).toEqual({
      code,
      err: expect.stringContaining(fault) as unknown,
    });
    expect(await operator.ask('campaign', 'show', 'Melati', id)).toEqual(made);
  });

  it('moves to another domain with another sender', async () => {
    const argv = ['--domain', 'toko.melati.example', '--clear', 'from'];
    expect(await operator.ask('campaign', 'edit', 'Melati', await createdId(), ...argv)).toMatchObject({
      domain_id: 3,
      from_email: null,
    });
  });
});

describe('kurir campaign copy', () => {
  // spec: docs/contract.md#prepare-a-campaign: a copy is a draft
  it.each(['draft', 'scheduled', 'live', 'paused', 'completed'] as const)(
    'makes a draft from a %s one',
    async (status) => {
      const id = await stored(status);
      const { warnings: _warnings, ...original } = await operator.ask('campaign', 'show', 'Melati', id);
      const copy = await operator.ask('campaign', 'copy', 'Melati', id);
      expect(copy).toEqual({ ...original, id: copy['id'], status: 'draft', warnings: expect.any(Array) });
      expect(copy['id']).not.toBe(original['id']);
    },
  );

  it('changes the copy by its options, and leaves the original alone', async () => {
    const { warnings: _warnings, ...made } = await created();
    const id = String(made['id']);
    const copy = await operator.ask('campaign', 'copy', 'Melati', id, '--subject', 'Lagi', '--clear', 'text');
    expect(copy).toMatchObject({ subject: 'Lagi', text: null, preheader: 'Hari ini' });
    expect(await operator.ask('campaign', 'show', 'Melati', id)).toEqual(made);
  });
});

describe('kurir campaign delete', () => {
  it('deletes a draft', async () => {
    const id = await createdId();
    expect(await operator.ask('campaign', 'delete', 'Melati', id)).toEqual({ id: Number(id), deleted: true });
    expect(await failing('show', 'Melati', id)).toMatchObject({ code: 1 });
    expect(await failing('delete', 'Melati', id)).toMatchObject({ code: 1 });
  });

  it.each(['scheduled', 'live', 'paused', 'completed'] as const)('deletes no %s one: exit code 1', async (status) => {
    const id = await stored(status);
    expect(await failing('delete', 'Melati', id)).toEqual({
      code: 1,
      err: expect.stringContaining(`campaign ${id} is ${status}: only a draft can be deleted.`) as unknown,
    });
    expect(await operator.ask('campaign', 'show', 'Melati', id)).toMatchObject({ status });
  });

  it.each(['edit', 'copy', 'delete'])('%s of a campaign of another workspace: exit code 1', async (verb) => {
    const argv = [verb, 'Mawar', await createdId(), ...(verb === 'edit' ? ['--subject', 'X'] : [])];
    expect(await failing(...argv)).toEqual({ code: 1, err: expect.stringMatching(/no campaign \d+ found/) as unknown });
  });
});
