import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify';
import { accessOf } from '../../domain/people/access';
import type { AnswerOf, Operation } from '../../operations/definition';
import { DOMAIN } from '../../operations/domains/domain';
import { performFor } from '../../operations/perform';
import { describeOnEngines } from '../support/engines';
import { Running, temporaryDir } from '../support/running';

type Row = AnswerOf<typeof DOMAIN.show>['dns'][number];

describeOnEngines('the rotation of a key, as receivers see it', (install) => {
  let running: Running;
  /** Another process of the cluster; the same one on the embedded engine. */
  let other: Running;
  beforeAll(async () => {
    const installation = install();
    running = await Running.startOn(installation);
    const beside = { KURIR_DATA_DIR: temporaryDir() };
    other = installation.engine === 'cluster' ? await Running.startOn(installation, beside) : running;
  });
  afterAll(async () => {
    if (other !== running) await other.stop();
    await running.stop();
  });

  const access = accessOf({ everywhere: 'operator', workspaces: new Map() });
  const perform = async (operation: Operation<never, { dns: Row[] }>, input: Record<string, unknown> = {}) => {
    const given = { domain: String(running.demo.sending_domain_id), ...input };
    const done = await performFor(running.kurir.services, { actor: 'siti', access }, operation, given);
    if (!done.ok) throw new Error(done.fault.message);
    return done.json.dns;
  };

  let serial = 0;
  /** Sends a mail, and answers its selector and what a receiver says that finds these records. */
  async function verdict(records: Row[]): Promise<{ selector: string; result: string }> {
    const to = `delivered+r${(serial += 1)}@pelanggan.test`;
    await running.untilStatus(await running.send(to), 'delivered');
    for (const { kurir } of [running, other]) {
      const inbox = kurir.baseUrl.replace('/v1', '/sandbox/inbox');
      const list = await fetch(`${inbox}?to=${encodeURIComponent(to)}`, { headers: { accept: 'application/json' } });
      const [mail] = ((await list.json()) as { data: { id: number }[] }).data;
      if (!mail) continue;
      const raw = Buffer.from(await (await fetch(`${inbox}/${mail.id}/source`)).arrayBuffer());
      const resolver = async (name: string): Promise<string[][]> => {
        const found = records.find((record) => record.name === name);
        if (!found) throw new Error(`no record ${name}`);
        return [[found.value!]];
      };
      const { results } = await dkimVerify(raw, { resolver });
      return { selector: results[0]?.selector ?? '', result: String(results[0]?.status.result) };
    }
    throw new Error(`the mail to ${to} did not arrive`);
  }
  const named = (records: Row[], purpose: string): string =>
    (records.find((record) => record.purpose === purpose)?.name ?? '').split('.')[0]!;

  it('mail verifies before, during and after, by the record of the selector in it', async () => {
    const before = await perform(DOMAIN.show);
    expect(await verdict(before)).toEqual({ selector: 'kurir', result: 'pass' });
    const during = await perform(DOMAIN.rotate);
    expect(await verdict(before)).toEqual({ selector: 'kurir', result: 'pass' });
    expect(await verdict(during)).toEqual({ selector: 'kurir', result: 'pass' });
    const after = await perform(DOMAIN.rotate, { activate: true, force: true });
    const selector = named(after, 'dkim');
    expect([named(during, 'dkim_pending'), 'kurir']).toEqual([selector, named(after, 'dkim_retired')]);
    // Each process signs with the new key within five seconds; both records are published meanwhile.
    // eslint-disable-next-line kurir/test-limits -- how long a key is kept, not a limit
    const end = Date.now() + 5_000;
    while (Date.now() < end) expect(await verdict(after)).toMatchObject({ result: 'pass' });
    const onlyNew = after.filter(({ purpose }) => purpose === 'dkim');
    for (let n = 0; n < 8; n += 1) expect(await verdict(onlyNew)).toEqual({ selector, result: 'pass' });
  });
});
