import { describe, expect, it } from '@jest/globals';
import { createEngagementConsumer } from '../../../consumers/engagement';
import { ok } from '../../../streams/results';
import { mail, pagesApp } from '../../api/pages/pages-app';
import { openTemporary } from '../../contract/embedded/open';
import { freshEngine } from '../../contract/harness';
import { isOf, pollCount, withReader } from '../../contract/log-reading';

describe('from the public pages to the stores', () => {
  const subject = freshEngine(openTemporary);

  // spec: docs/contract.md#unsubscribing: contact: the unsubscribe link makes it unsubscribed
  it('an open, a click and an unsubscribe arrive as the pages recorded them', async () => {
    const { message, contact, paths } = await mail(subject, ['https://toko.contoh.test/']);
    const app = pagesApp(subject);
    await app.get(paths.open).expect(200);
    await app.get(`${paths.clicks}0`).expect(302);
    await app.post(paths.unsubscribe).send('List-Unsubscribe=One-Click').expect(200);

    const consumer = createEngagementConsumer({ stores: subject.stores, flagsAtDelivery: false });
    const records = await withReader(subject.log, 'engagement', (reader) => pollCount(reader, 3));
    for (const record of records.filter(isOf('engagement.hits'))) expect(await consumer.handle(record)).toEqual(ok);

    const kinds = (await subject.stores.signals.ofMessage(message.id)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['click', 'open', 'unsubscribe']);
    expect(await subject.stores.contacts.get(contact.workspaceId, contact.id)).toMatchObject({
      status: 'unsubscribed',
    });
    const { text } = await app.get(paths.unsubscribe).expect(200);
    expect(text).toContain('Anda sudah tidak berlangganan');
  });
});
