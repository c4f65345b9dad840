import { describe, expect, it } from '@jest/globals';
import { aContact } from '../support/builders';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile(['workspace', 'create', 'Melati'], ['workspace', 'create', 'Mawar']);

describe('kurir audience', () => {
  it('create makes one of single opt-in, list and show find it, by id or name', async () => {
    const made = await operator.ask('audience', 'create', 'Melati', 'Pelanggan 🌸', '--description', 'Setia');
    expect(made).toEqual({
      id: expect.any(Number),
      workspace_id: 1,
      name: 'Pelanggan 🌸',
      description: 'Setia',
      public_token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      opt_in_mode: 'single',
      redirect_hosts: [],
      form_paused_at: null,
      created_at: '2026-01-05T03:00:00.000000Z',
      updated_at: '2026-01-05T03:00:00.000000Z',
      contacts_count: 0,
      reachable_count: 0,
      form_url: expect.stringMatching(/\/f\/[A-Za-z0-9]{32}$/),
    });
    expect(await operator.ask('audience', 'show', '1', 'pelanggan 🌸')).toEqual(made);
    expect(await operator.ask('audience', 'show', 'Melati', String(made['id']))).toEqual(made);
    expect(await operator.ask('audience', 'list', 'Melati')).toEqual({ data: [made] });
    expect(await operator.ask('audience', 'list', 'Mawar')).toEqual({ data: [] });
    expect((await operator.run(['audience', 'list', 'Mawar'])).out).toContain('No audiences yet');
  });

  it('create --opt-in double makes one whose members must confirm, and shows how many there are', async () => {
    const { id } = await operator.ask('audience', 'create', 'Melati', 'Kabar', '--opt-in', 'double');
    await operator.with(({ stores }) => stores.audiences.join(1, Number(id), { contact: aContact(1) }, 0));
    expect(await operator.ask('audience', 'show', 'Melati', 'Kabar')).toMatchObject({
      opt_in_mode: 'double',
      contacts_count: 1,
    });
    expect((await operator.run(['audience', 'show', 'Melati', 'Kabar'])).out).toMatch(
      /opt-in +double\n(?:.*\n){4}members +1\n/,
    );
  });

  it('set changes how contacts join and where the form may lead on to, and says so in the trail', async () => {
    await operator.ask('audience', 'create', 'Melati', 'Formulir');
    const hosts = 'Toko.example, www.toko.example,toko.example';
    expect(
      await operator.ask('audience', 'set', 'Melati', 'Formulir', '--opt-in', 'double', '--redirect-hosts', hosts),
    ).toMatchObject({ opt_in_mode: 'double', redirect_hosts: ['toko.example', 'www.toko.example'] });
    expect((await operator.run(['log'])).out).toMatch(/double opt-in; redirect domains toko.example, www.toko.example/);
    const none = await operator.ask('audience', 'set', 'Melati', 'Formulir', '--redirect-hosts', 'none');
    expect(none).toMatchObject({ opt_in_mode: 'double', redirect_hosts: [] });
  });

  it('set --resume-form ends the pause of a form, which show tells', async () => {
    const { id } = await operator.ask('audience', 'create', 'Melati', 'Jeda', '--opt-in', 'double');
    const formBrake = { bounces: [], pausedAt: Date.parse('2026-01-05T03:00:00Z'), since: 0 };
    await operator.with(({ stores }) => stores.audiences.change(1, Number(id), { formBrake }, 0));
    const shown = await operator.ask('audience', 'show', 'Melati', 'Jeda');
    expect(shown).toMatchObject({ form_paused_at: '2026-01-05T03:00:00.000000Z' });
    expect((await operator.run(['audience', 'show', 'Melati', 'Jeda'])).out).toMatch(
      /form paused +since .*--resume-form/,
    );
    const resumed = await operator.ask('audience', 'set', 'Melati', 'Jeda', '--resume-form');
    expect(resumed).toMatchObject({ form_paused_at: null, opt_in_mode: 'double' });
    expect((await operator.run(['log'])).out).toContain('form resumed');
  });

  // spec: docs/contract.md#consent: shown
  it('members shows who has not confirmed, page by page', async () => {
    const { id } = await operator.ask('audience', 'create', 'Melati', 'Anggota', '--opt-in', 'double');
    const contact = aContact(1, { name: 'Sari' });
    await operator.with(({ stores }) => stores.audiences.join(1, Number(id), { contact }, contact.at));
    const shown = await operator.ask('audience', 'members', 'Melati', 'Anggota', '--limit', '1');
    expect(shown).toEqual({
      data: [
        {
          contact_id: expect.any(Number),
          email: contact.email,
          name: 'Sari',
          status: 'subscribed',
          membership: 'pending',
          joined_at: '2026-01-05T03:00:00.000000Z',
          confirmed_at: null,
          pending_until: '2026-01-19T03:00:00.000000Z',
        },
      ],
      next_after: expect.any(Number),
    });
    const [member] = shown['data'] as { contact_id: number }[];
    expect(shown['next_after']).toBe(member?.contact_id);
    const shownContact = await operator.ask('contact', 'show', 'Melati', contact.email);
    expect(shownContact['consent']).toEqual([{ at: '2026-01-05T03:00:00.000000Z', source: 'api', audience_id: id }]);
    expect((await operator.run(['contact', 'show', 'Melati', contact.email])).out).toMatch(
      /consent +2026-01-05 10:00:00 WIB by api, audience \d+/,
    );
  });

  it('what is made is in the trail', async () => {
    await operator.ask('audience', 'create', 'Mawar', 'Jejak');
    expect((await operator.run(['log'])).out).toMatch(/audience create +2 +Jejak, single opt-in/);
  });

  it('an audience of another workspace is as unknown as none: exit code 1', async () => {
    const { code, err } = await operator.run(['audience', 'show', 'Mawar', 'Kabar']);
    expect({ code, err }).toEqual({
      code: 1,
      err: '<audience>: no audience "Kabar" found.\nkurir audience list <workspace> shows them.\n',
    });
  });

  it.each([
    [['create', 'Melati', ' '], '<name> must not be empty'],
    [['set', 'Melati', 'Kabar'], 'Nothing to change.'],
    [['set', 'Melati', 'Kabar', '--redirect-hosts', 'https://toko.example'], '--redirect-hosts must be host names'],
    [['set', 'Melati', 'Kabar', '--redirect-hosts', '127.0.0.1'], '--redirect-hosts must be host names'],
    [['create', 'Melati', 'n'.repeat(256)], '<name> must have at most 255 characters'],
    [['create', 'Melati', 'A', '--opt-in', 'triple'], '--opt-in must be one of single, double'],
    [['create', 'Melati', 'A', '--description', 'd'.repeat(1_001)], '--description must have at most 1000 characters'],
  ])('%j is a usage error: exit code 2', async (argv, fault) => {
    const { code, err } = await operator.run(['audience', ...argv]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(fault) as unknown });
  });
});
