import { beforeAll, describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE } from '../../lib/clock';
import type { Message, MessageState } from '../../domain/messages/message';
import type { MessageChange } from '../../stores/ports/message-store';
import { acceptMessage, createSender, type AcceptanceOptions, type Sender } from '../support/builders';
import { TEST_START as NOW } from '../support/clock';
import { aCampaign } from '../support/marketing';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile();
let sender: Sender;
beforeAll(async () => {
  sender = await operator.with(({ stores }) => createSender(stores));
});

const accept = (options?: AcceptanceOptions): Promise<Message> =>
  operator.with(({ stores }) => acceptMessage(stores, sender, options));

/** A message of a sender of its own, claimed by the throttle's means, then changed. */
async function claimed(set: Partial<MessageState>, attempt: MessageChange['attempt'] = {}): Promise<string> {
  return operator.with(async ({ stores }) => {
    const own = await createSender(stores);
    const { id } = await acceptMessage(stores, own);
    const epoch = (await stores.leases.acquire('shard', 'test', NOW, DAY))!;
    const lease = { name: 'shard', owner: 'test', epoch };
    const caps = { day: '2026-01-05', workspaceDayCap: null, platformDayCap: null };
    const claim = {
      workspaceId: own.workspace.id,
      lane: 'transactional' as const,
      limit: 1,
      now: NOW,
      leaseUntil: NOW + 12 * MINUTE,
    };
    await stores.queue.claim({ ...claim, lease, ...caps });
    await stores.messages.change(id, () => ({ set, at: NOW + 1, attempt, records: [] }));
    return id;
  });
}
const show = (id: string) => operator.ask('message', 'show', id);
const time = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');

describe('kurir message show', () => {
  it('says what a new message is and waits for', async () => {
    const { id } = await accept({ facts: { subject: 'Halo', metadata: { order: 7 } } });
    expect(await show(id)).toMatchObject({
      message_id: id,
      status: 'queued',
      to: sender.contact.email,
      subject: 'Halo',
      domain: sender.domain.domain,
      metadata: { order: 7 },
      waits_for: { for: 'turn', owner: 'throttle', until: null },
      history: [{ status: 'queued', at: time(NOW) }],
      attempts: [],
      coins: [],
    });
  });

  it('names the category of the mail, not the lane it waits in', async () => {
    const { id: marketing } = await accept();
    const { id: transactional } = await accept({ facts: { category: 'transactional' } });
    expect(await show(marketing)).toMatchObject({ category: 'marketing' });
    expect(await show(transactional)).toMatchObject({ category: 'transactional' });
    expect((await operator.run(['message', 'show', marketing])).out).toContain('by          api, marketing\n');
    expect((await operator.run(['message', 'show', transactional])).out).toContain('by          api, transactional\n');
  });

  // spec: docs/contract.md#relay-attachments: `kurir message show`
  it('says how many attachments the relay left out', async () => {
    const { id } = await accept({ facts: { channel: 'smtp', attachmentsLeftOut: 2 } });
    expect(await show(id)).toMatchObject({ channel: 'smtp', attachments_left_out: 2 });
    expect((await operator.run(['message', 'show', id])).out).toContain('left out    2 attachments\n');
    const { id: whole } = await accept();
    expect((await operator.run(['message', 'show', whole])).out).not.toContain('left out');
  });

  it('shows attempts with the replies of the server, coins, and the next attempt with its time', async () => {
    const id = await claimed(
      { status: 'queued', failedReason: '451 later', dueAt: NOW + HOUR },
      { finishedAt: NOW + 5, outcome: 'refused_temporarily', reply: '451 4.3.0 later' },
    );
    const shown = await show(id);
    expect(shown).toMatchObject({
      waits_for: { for: 'retry', owner: 'throttle', until: time(NOW + HOUR) },
      history: [{ status: 'queued' }, { status: 'sending' }, { status: 'queued' }],
      attempts: [{ n: 1, outcome: 'refused_temporarily', reply: '451 4.3.0 later' }],
      coins: [{ id: `debit:${id}:1`, kind: 'debit', coins: -1 }],
    });
    const { out } = await operator.run(['message', 'show', id]);
    expect(out).toContain(
      'waits for   attempt 2, after the last one was deferred (throttle), until 2026-01-05 11:00:00 WIB, in 1h\n',
    );
    expect(out).toMatch(/refused_temporarily {2}451 4\.3\.0 later\n/);
  });

  it.each([
    ['the hand-off', {}, 'hand_off', 'dispatch', NOW + 12 * MINUTE],
    ['the answer of the server', { fence: 't', fencedAt: NOW }, 'answer', 'dispatch', NOW + 12 * MINUTE],
    [
      'evidence',
      { fence: 't', fencedAt: NOW, unknown: true, dueAt: NOW + 4 * DAY },
      'evidence',
      'mta-feedback',
      NOW + 4 * DAY,
    ],
    ['a report', { status: 'sent_to_mta' as const, dueAt: NOW + 4 * DAY }, 'report', 'mta-feedback', NOW + 4 * DAY],
  ])('waits for %s, by whom and until when', async (_what, set, what, owner, until) => {
    expect((await show(await claimed(set))).waits_for).toMatchObject({ for: what, owner, until: time(until) });
  });

  it.each(['delivered', 'bounced', 'failed'] as const)('waits for nothing once %s', async (status) => {
    const id = await claimed({ status, failedReason: '550 no', dueAt: null, complainedAt: NOW });
    expect(await show(id)).toMatchObject({ status, waits_for: null, complained_at: time(NOW) });
  });

  it('waits for the rate, the WIB day or the warm-up cap of its account, until when', async () => {
    const own = await TestOperator.open();
    const { id } = await own.with(async ({ stores }) => {
      const free = await createSender(stores);
      for (let n = 0; n < 10; n += 1) await acceptMessage(stores, free);
      const epoch = (await stores.leases.acquire('shard', 'test', NOW, DAY))!;
      const caps = { day: '2026-01-05', workspaceDayCap: null, platformDayCap: null };
      const lease = { name: 'shard', owner: 'test', epoch };
      const request = { workspaceId: free.workspace.id, limit: 10, now: NOW, leaseUntil: NOW + MINUTE, lease, ...caps };
      await stores.queue.claim({ ...request, lane: 'transactional' });
      return acceptMessage(stores, free);
    });
    const waits = async () => (await own.ask('message', 'show', id)).waits_for;
    expect(await waits()).toMatchObject({ for: 'rate', until: time(NOW + 61_000) });
    await own.ask('warmup', 'cap', '10');
    expect(await waits()).toMatchObject({ for: 'platform_day_cap', until: '2026-01-05T17:00:00.000000Z' });
    await own.ask('warmup', 'cap', '11');
    own.clock.advance(61_000);
    expect(await waits()).toMatchObject({ for: 'turn', until: null });
    own.remove();
  });

  it("shows a subject's escape sequences instead of obeying them", async () => {
    const { id } = await accept({ facts: { subject: 'a\x1b]0;owned\x07b\u202Ec\x9b31m' } });
    const { out } = await operator.run(['message', 'show', id]);
    expect(out).toContain('subject     a\\x1b]0;owned\\x07bc\\x9b31m\n');
    const json = (await operator.run(['message', 'show', id, '--json'])).out;
    expect(json).not.toMatch(/[\x1b\x07\x9b]/);
    expect((JSON.parse(json) as { subject: string }).subject).toBe('a\x1b]0;owned\x07b\u202Ec\x9b31m');
  });

  it.each([
    ['019bb3a0-6c1e-7d5f-8a55-2f8f3b6f6d10', 1, '<id>: no message 019bb3a0'],
    ['12', 2, '<id> must be the id of a message, a UUID (is "12").'],
    ["' OR 1=1", 2, '<id> must be the id of a message'],
  ])('of "%s" ends with exit code %d', async (id, code, text) => {
    expect(await operator.run(['message', 'show', id])).toMatchObject({
      code,
      out: '',
      err: expect.stringContaining(text) as unknown,
    });
  });
});

describe('kurir message list', () => {
  it('newest first, by status, limited, page by page', async () => {
    const own = await TestOperator.open();
    const ids = await own.with(async ({ stores }) => {
      const from = await createSender(stores);
      const accepted: string[] = [];
      for (let n = 0; n < 5; n += 1) accepted.push((await acceptMessage(stores, from)).id);
      const set = { status: 'failed' as const, failedReason: 'x', dueAt: null };
      await stores.messages.change(accepted[2]!, () => ({ set, at: NOW, records: [] }));
      return accepted.reverse();
    });
    const list = async (...more: string[]) => {
      const { data, total } = (await own.ask('message', 'list', '1', ...more)) as {
        data: { message_id: string }[];
        total: number;
      };
      return { total, ids: data.map(({ message_id }) => message_id) };
    };
    expect(await list()).toEqual({ total: 5, ids });
    expect(await list('--limit', '2', '--page', '2')).toEqual({ total: 5, ids: ids.slice(2, 4) });
    expect(await list('--status', 'failed')).toEqual({ total: 1, ids: [ids[2]] });
    expect((await own.run(['message', 'list', '1', '--limit', '2', '--page', '2'])).out).toContain('2 of 5, from 3\n');
    expect((await own.run(['message', 'list', '1', '--status', 'bounced'])).out).toContain('No bounced messages in ');
    own.remove();
  });

  it('finds by recipient, time and channel, without the workspace where there is one', async () => {
    const own = await TestOperator.open();
    const { ids, contact } = await own.with(async ({ stores }) => {
      const from = await createSender(stores);
      const accepted: string[] = [];
      for (const createdAt of [NOW - DAY, NOW]) {
        accepted.push((await acceptMessage(stores, from, { facts: { createdAt } })).id);
      }
      return { ids: accepted, contact: from.contact };
    });
    const list = async (...more: string[]) => {
      const { data } = (await own.ask('message', 'list', ...more)) as { data: { message_id: string }[] };
      return data.map(({ message_id }) => message_id);
    };
    const today = new Date(NOW).toISOString().slice(0, 10);
    const [older, newer] = ids;
    expect(await list('--to', contact.email.toUpperCase())).toEqual([newer, older]);
    expect(await list('--to', 'nobody@contoh.test')).toEqual([]);
    expect(await list('--since', today)).toEqual([newer]);
    expect(await list('--until', today, '--channel', 'api')).toEqual([older]);
    expect(await list('--channel', 'smtp')).toEqual([]);
    expect((await own.run(['message', 'list', '--channel', 'smtp'])).out).toContain('No such messages in ');
    await own.ask('contact', 'delete', contact.email);
    expect(await list('--to', String(contact.id))).toEqual([newer, older]);
    expect(await list('--to', contact.email)).toEqual([]);
    own.remove();
  });

  it('finds by subject, metadata, domain and campaign, with other filters, and goes on behind a message', async () => {
    const own = await TestOperator.open();
    const { ids, domain, campaign } = await own.with(async ({ stores }) => {
      const from = await createSender(stores);
      const made = await stores.campaigns.create(aCampaign(from, 1));
      const accepted: string[] = [];
      for (const [n, subject] of ['Nota 1', 'Resi', 'nota 3', 'NOTA 4'].entries()) {
        const facts = { createdAt: NOW + n, subject, metadata: { order: n }, to: `b${n}@pembeli.example` };
        accepted.push((await acceptMessage(stores, from, { facts })).id);
      }
      return { ids: accepted, domain: from.domain.domain, campaign: made.id };
    });
    const list = async (...more: string[]) => {
      const { data, ...rest } = (await own.ask('message', 'list', '1', ...more)) as { data: { message_id: string }[] };
      return { ...rest, ids: data.map(({ message_id }) => message_id) };
    };
    const over = { limit: 20, next_after: null, looked_back_to: null };
    expect(await list('--subject', 'nOTa')).toEqual({ ...over, ids: [ids[3], ids[2], ids[0]] });
    expect(await list('--metadata', 'order=2')).toEqual({ ...over, ids: [ids[2]] });
    expect(await list('--to', '@Pembeli.example', '--domain', domain, '--subject', 'resi')).toMatchObject({
      ids: [ids[1]],
    });
    expect(await list('--to', '@x.pembeli.example', '--subject', 'resi')).toMatchObject({ ids: [] });
    expect(await list('--campaign', String(campaign))).toEqual({ ...over, ids: [] });
    const first = await list('--subject', 'nota', '--limit', '2');
    expect(first).toMatchObject({
      ids: [ids[3], ids[2]],
      next_after: ids[2],
      looked_back_to: expect.any(String) as unknown,
    });
    expect(await list('--subject', 'nota', '--after', ids[2]!)).toMatchObject({ ids: [ids[0]], next_after: null });
    expect(await list('--after', ids[1]!)).toMatchObject({ ids: [ids[0]] });
    const shown = await own.run(['message', 'list', '1', '--subject', 'nota', '--limit', '2']);
    expect(shown.out).toContain(`More: --after ${ids[2]}\n`);
    expect((await own.run(['message', 'list', '1', '--subject', 'x'])).out).toContain('No such messages in ');
    own.remove();
  });

  it.each([
    [['Anggrek'], 1, '<workspace>: no workspace "Anggrek" found.'],
    [['1', '--status', 'lost'], 2, '--status must be one of queued, sending'],
    [['1', '--limit', '5000'], 2, '--limit must be a whole number from 1 to 1000'],
    [['1', '--page', '0'], 2, '--page must be a whole number from 1'],
    [['--to', 'siti'], 2, '--to must be an email address, @ and a domain, or the id of a contact (is "siti")'],
    [['--since', 'kemarin'], 2, '--since must be an ISO 8601 time or date such as 2026-01-05T10:00:00Z or 2026-01-05'],
    [['--to', '@'], 2, '--to must be an email address, @ and a domain, or the id of a contact (is "@")'],
    [['--metadata', 'order'], 2, '--metadata must be a key and its value, such as order_id=1042 (is "order")'],
    [['--subject', ' '], 2, '--subject must not be empty'],
    [['1', '--domain', 'x.example'], 1, '--domain: no sending domain of the workspace "x.example" found.'],
    [['1', '--campaign', '9'], 1, '<campaign>: no campaign 9 found.'],
    [['1', '--after', '019bb3a0-6c1e-7d5f-8a55-2f8f3b6f6d10'], 1, '--after: no message 019bb3a0-'],
    [['1', '--subject', 'x', '--page', '2'], 2, '--page: this search cannot be paged by number.'],
    [['1', '--page', '2501'], 2, '--page: only the first 50000 messages can be paged by number.'],
    [['--channel', 'fax'], 2, '--channel must be one of api, smtp, app'],
    [[], 2, '<workspace> is missing: choose one of the '],
  ])('%j is refused with exit code %d', async (argv, code, text) => {
    expect(await operator.run(['message', 'list', ...argv])).toMatchObject({
      code,
      err: expect.stringContaining(text) as unknown,
    });
  });
});
