import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aContact } from '../support/builders';
import { TestOperator } from '../support/test-operator';

let desk: TestOperator;
beforeAll(async () => {
  desk = await TestOperator.open();
  await desk.ask('workspace', 'create', 'Melati');
  await desk.ask('workspace', 'create', 'Mawar');
});
afterAll(() => desk.remove());

describe('kurir audience', () => {
  it('create makes one of single opt-in, list and show find it, by id or name', async () => {
    const made = await desk.ask('audience', 'create', 'Melati', 'Pelanggan 🌸', '--description', 'Setia');
    expect(made).toEqual({
      id: expect.any(Number),
      workspace_id: 1,
      name: 'Pelanggan 🌸',
      description: 'Setia',
      public_token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      opt_in_mode: 'single',
      created_at: '2026-01-05T03:00:00.000000Z',
      updated_at: '2026-01-05T03:00:00.000000Z',
      contacts_count: 0,
    });
    expect(await desk.ask('audience', 'show', '1', 'pelanggan 🌸')).toEqual(made);
    expect(await desk.ask('audience', 'show', 'Melati', String(made['id']))).toEqual(made);
    expect(await desk.ask('audience', 'list', 'Melati')).toEqual({ data: [made] });
    expect(await desk.ask('audience', 'list', 'Mawar')).toEqual({ data: [] });
    expect((await desk.run(['audience', 'list', 'Mawar'])).out).toContain('There is no audience');
  });

  it('create --opt-in double makes one whose members must confirm, and shows how many there are', async () => {
    const { id } = await desk.ask('audience', 'create', 'Melati', 'Kabar', '--opt-in', 'double');
    await desk.with(({ stores }) => stores.audiences.join(1, Number(id), { contact: aContact(1) }, 0));
    expect(await desk.ask('audience', 'show', 'Melati', 'Kabar')).toMatchObject({
      opt_in_mode: 'double',
      contacts_count: 1,
    });
    expect((await desk.run(['audience', 'show', 'Melati', 'Kabar'])).out).toMatch(/opt-in +double\n.*\nmembers +1\n/);
  });

  it('what is made is in the trail', async () => {
    await desk.ask('audience', 'create', 'Mawar', 'Jejak');
    expect((await desk.run(['log'])).out).toMatch(/audience create +2 +Jejak, single opt-in/);
  });

  it('an audience of another workspace is as unknown as none: exit code 1', async () => {
    const { code, err } = await desk.run(['audience', 'show', 'Mawar', 'Kabar']);
    expect({ code, err }).toEqual({
      code: 1,
      err: '<audience>: there is no audience "Kabar".\nkurir audience list <workspace> shows what there is.\n',
    });
  });

  it.each([
    [['create', 'Melati', ' '], '<name> must not be empty'],
    [['create', 'Melati', 'n'.repeat(256)], '<name> must have 255 characters at most'],
    [['create', 'Melati', 'A', '--opt-in', 'triple'], '--opt-in must be one of single, double'],
    [['create', 'Melati', 'A', '--description', 'd'.repeat(1_001)], '--description must have 1000 characters at most'],
  ])('%j is written wrongly: exit code 2', async (argv, fault) => {
    const { code, err } = await desk.run(['audience', ...argv]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(fault) as unknown });
  });
});
