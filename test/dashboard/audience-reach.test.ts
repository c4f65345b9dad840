import { beforeAll, describe, expect, it } from '@jest/globals';
import { aContact } from '../support/builders';
import { TEST_START } from '../support/clock';
import { anAudience } from '../support/marketing';
import { dashboarded, type Visitor } from './visitor';

describe('the number beside an audience', () => {
  const subject = dashboarded();
  let editor: Visitor;
  beforeAll(async () => {
    editor = await subject.person('editor@toko.example', { 1: 'editor' });
    const { audiences, contacts, suppressions, bulkContacts } = subject.service.stores;
    const { id: audienceId } = await audiences.create(anAudience(1, { name: 'Kabar', optInMode: 'double' }));
    const people = Array.from({ length: 5 }, () => aContact(1));
    const rows = people.map(({ email, emailHash }) => ({
      email,
      emailHash,
      name: null,
      status: 'subscribed' as const,
    }));
    const agreed = { source: 'import', by: null } as const;
    await bulkContacts.add({ workspaceId: 1, audienceId, at: TEST_START, agreed, contacts: rows.slice(0, 4) });
    // One that has not confirmed, one that left, and one that is suppressed.
    await bulkContacts.add({ workspaceId: 1, audienceId, at: TEST_START, contacts: rows.slice(4) });
    const left = await contacts.find(1, rows[0]!.email);
    await contacts.raiseStatus(1, left!.id, 'unsubscribed', TEST_START);
    const entry = { workspaceId: 1, addressHash: rows[1]!.emailHash, reason: 'manual', messageId: null } as const;
    await suppressions.add({ ...entry, createdAt: TEST_START });
  });

  it('is that of those who can be reached, in the list, on its page and where a campaign is written', async () => {
    const list = await editor.get('/app/w/1/audiences');
    expect(list.html).toMatch(/Kabar<\/a>\s*<\/td>\s*<td class="num">\s*2\s*<\/td>\s*<td class="num">\s*5\s*<\/td>/);
    const [, path = ''] = /href="(\/app\/w\/1\/audiences\/\d+)">Kabar/.exec(list.html) ?? [];
    expect((await editor.get(path)).html).toMatch(/Can receive email<\/dt>\s*<dd>\s*2\s*</);
    expect((await editor.get('/app/w/1/campaigns/new')).html).toContain('Kabar (2)');
  });
});
