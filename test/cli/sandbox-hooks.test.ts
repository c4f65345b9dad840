import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SANDBOX } from '../../operations/installation/data-dir';
import { HookStore } from '../../sandbox/hooks/hook-store';
import { MailFile } from '../../sandbox/mail-file';
import { arrived } from '../sandbox/hooks/support';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofCase();

async function receive(...names: string[]): Promise<void> {
  const file = new MailFile(join(operator.dataDir, SANDBOX));
  for (const name of names) await new HookStore(file).keep(arrived({ name }));
  file.close();
}

describe('kurir sandbox hooks', () => {
  it('shows every hook with the number of its requests', async () => {
    await receive('shop', 'shop', 'till');
    expect(await operator.ask('sandbox', 'hooks')).toEqual({
      data: [
        { name: 'till', requests: 1, verified: 1, last_at: '2026-01-05T03:00:00.000000Z' },
        { name: 'shop', requests: 2, verified: 2, last_at: '2026-01-05T03:00:00.000000Z' },
      ],
    });
    expect((await operator.run(['sandbox', 'hooks'])).out).toMatch(/^hook +requests +verified +last\ntill +1 +1 +2026/);
  });

  it('shows the requests of one, newest first, in pages', async () => {
    await receive('shop', 'till', 'shop');
    const first = await operator.ask('sandbox', 'hooks', 'shop', '--limit', '1');
    expect(first).toMatchObject({
      data: [{ id: 3, hook: 'shop', attempt: 2, payload: { event: 'delivered' } }],
      total: 2,
      next_before: 3,
    });
    expect(await operator.ask('sandbox', 'hooks', 'shop', '--before', '3')).toMatchObject({ data: [{ id: 1 }] });
    expect((await operator.run(['sandbox', 'hooks', 'shop'])).out).toMatch(/delivered +0194-a +2 +valid +valid +200/);
  });

  it('says what is not there', async () => {
    const said = await operator.run(['sandbox', 'hooks']);
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining('There is no sandbox in') as unknown });
    await receive('shop');
    expect((await operator.run(['sandbox', 'hooks', 'till'])).out).toBe('The hook till has received no request yet.\n');
  });
});

describe('kurir pii', () => {
  it('counts the requests of hooks that hold the address, apart', async () => {
    await receive('shop', 'shop');
    expect((await operator.run(['pii', 'siti@contoh.test'])).out).toContain(
      'Also found in 2 webhook requests in the sandbox.\n',
    );
    expect((await operator.run(['pii', 'siti@contoh.test', '--json'])).json).toMatchObject({
      sandbox_mails: 0,
      sandbox_hook_requests: 2,
    });
  });
});
