import { expect } from '@jest/globals';
import type { FoundMessages, MessageSearch } from '../../stores/ports/message-finder';
import type { Stores } from '../../stores/ports';
import { inTurn } from '../contract/helpers';
import { acceptMessage, createSender } from '../support/builders';
import { TEST_START } from '../support/clock';

/** Messages of a step, and of a page. */
const SIZES = [1, 2, 5, 16, 17, 18].flatMap((size) => [1, 3, 20].map((limit) => [size, limit] as const));

/** A search finds the same in steps of any size, with many messages of one moment and pages that end within a step. */
export async function exerciseSearch(
  stores: Stores,
  find: (workspaceId: number, search: MessageSearch, size: number) => Promise<FoundMessages>,
): Promise<void> {
  const sender = await createSender(stores);
  const sent = await inTurn(17, async (n) => {
    const createdAt = TEST_START + Math.max(0, n - 8);
    const facts = { createdAt, subject: n % 3 ? 'Resi' : 'Nota', channel: n % 2 ? 'api' : 'smtp' } as const;
    return { ...facts, id: (await acceptMessage(stores, sender, { facts })).id };
  });
  const contactId = sender.contact.id;
  for (const filter of [
    {},
    { subject: 'nota' },
    { contactId, subject: 'nota' },
    { channel: 'api' as const, subject: 'i' },
  ]) {
    const { subject = '', channel = '' }: { subject?: string; channel?: string } = filter;
    const fits = sent.filter((one) => one.subject.toLowerCase().includes(subject) && one.channel.includes(channel));
    for (const [size, limit] of SIZES) {
      const ids: string[] = [];
      let page: MessageSearch | null = { ...filter, limit };
      while (page) {
        const { items, next }: FoundMessages = await find(sender.workspace.id, page, size);
        ids.push(...items.map(({ id }) => id));
        page = next && { ...page, after: next };
      }
      expect([size, limit, [...ids].sort()]).toEqual([size, limit, fits.map(({ id }) => id).sort()]);
    }
  }
}
