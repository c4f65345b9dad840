import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../../lib/clock';
import type { Attachment, Metadata } from '../../../domain/messages/message';
import { acceptMessage, createSender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { aCampaign } from '../../support/marketing';
import { sharedEngine, type OpenEngine } from '../harness';
import { present } from '../helpers';

/** `size` bytes without a pattern, the same in every run. */
function noise(size: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, n) =>
    createHash('sha256').update(String(n)).digest(),
  );
  return Buffer.concat(blocks).subarray(0, size);
}

const LATER = TEST_START + 4 * DAY;

const ODD_TEXT = 'baris satu\r\nbaris\tdua \u2028 “kutip” 🌼 \u{1F1EE}\u{1F1E9} e\u0301 \\ \' " % \uFFFD akhir ';

const METADATA: [string, Metadata | null][] = [
  ['none', null],
  ['an empty object', {}],
  [
    'every kind of value',
    { text: 'a', empty: '', zero: 0, minus: -1.5, big: 9_007_199_254_740_991, yes: true, no: false, nil: null },
  ],
  ['text that looks like something else', { a: 'null', b: '1', c: 'true', d: '{"x":1}', e: ' spasi ', f: ODD_TEXT }],
  ['awkward keys', { 'a.b': 1, 'a.b.c': 2, '-': 3, _id: 4, '0': 5, constructor: 6, toString: 7, ['k'.repeat(40)]: 8 }],
];

/** Content comes back byte for byte. */
export function describeContent(open: OpenEngine): void {
  describe('content', () => {
    const subject = sharedEngine(open);
    const accept = async (options: Parameters<typeof acceptMessage>[2]) =>
      acceptMessage(subject.stores, await createSender(subject.stores), options);
    const jobOf = async (id: string) => present(await subject.stores.messages.job(id));

    it('of bodies is kept as given, and a text part only where one was given', async () => {
      const { id } = await accept({ body: { html: `<p>${ODD_TEXT}</p>`, text: ODD_TEXT } });
      expect((await jobOf(id)).body).toEqual({ html: `<p>${ODD_TEXT}</p>`, text: ODD_TEXT });
      const bare = await accept({ body: { html: 'x' } });
      expect((await jobOf(bare.id)).body).toEqual({ html: 'x', text: null });
    });

    it('comes with the preheader of the campaign, and with none where there is none', async () => {
      const sender = await createSender(subject.stores);
      const [campaign, bare] = await Promise.all([
        subject.stores.campaigns.create(aCampaign(sender, 7, { preheader: ODD_TEXT })),
        subject.stores.campaigns.create(aCampaign(sender, 7)),
      ]);
      const ids = [campaign.id, bare.id, null].map(async (campaignId) => {
        const { id } = await acceptMessage(subject.stores, sender, { facts: { campaignId, channel: 'app' } });
        return (await jobOf(id)).preheader;
      });
      expect(await Promise.all(ids)).toEqual([ODD_TEXT, null, null]);
      const large = await acceptMessage(subject.stores, sender, { facts: { campaignId: campaign.id } });
      const { withheld, preheader } = present(await subject.stores.messages.job(large.id, 1));
      expect({ preheader, withheld: withheld?.attachments }).toEqual({ preheader: ODD_TEXT, withheld: 0 });
    });

    it('of bodies of 500,000 characters outside ASCII is kept whole', async () => {
      const html = '🌼'.repeat(500_000);
      const { id } = await accept({ body: { html, text: html } });
      const { body } = await jobOf(id);
      expect([body?.html === html, body?.text === html]).toEqual([true, true]);
    });

    it('of texts is not cut at a NUL character', async () => {
      const odd = 'sebelum\u0000sesudah';
      const { id } = await accept({
        body: { html: odd, text: odd },
        facts: { subject: odd, fromName: odd, metadata: { odd } },
      });
      const { body, message } = await jobOf(id);
      expect({ ...body, subject: message.subject, fromName: message.fromName, metadata: message.metadata }).toEqual({
        html: odd,
        text: odd,
        subject: odd,
        fromName: odd,
        metadata: { odd },
      });
    });

    it('of the facts is kept as given', async () => {
      const facts = {
        subject: ODD_TEXT,
        fromName: ODD_TEXT,
        toText: 'Sari.Ayu@Contoh.test',
        to: 'sari.ayu@contoh.test',
      };
      const { id } = await accept({ facts });
      expect(await subject.stores.messages.get(id)).toMatchObject(facts);
    });

    it.each(METADATA)('of metadata is kept as given: %s', async (_, metadata) => {
      const { id } = await accept({ facts: { metadata } });
      expect((await subject.stores.messages.get(id))?.metadata).toEqual(metadata);
    });

    it('of attachments is kept to the byte, in order', async () => {
      const attachments: Attachment[] = [
        { filename: 'laporan “akhir” 🌼.pdf', contentType: 'application/pdf', content: noise(1_048_576) },
        { filename: 'nol.bin', contentType: 'application/octet-stream', content: Buffer.from([0]) },
        { filename: 'kosong.txt', contentType: 'text/plain', content: Buffer.alloc(0) },
        {
          filename: 'semua.bin',
          contentType: 'application/octet-stream',
          content: Buffer.from([...Array(256).keys()]),
        },
        { filename: 'nol.bin', contentType: 'text/plain; charset=utf-8', content: Buffer.from('\uFEFFsama nama') },
      ];
      const { id } = await accept({ attachments, attachmentsUntil: LATER });
      const stored = (await jobOf(id)).attachments;
      expect(stored.map(({ filename, contentType }) => ({ filename, contentType }))).toEqual(
        attachments.map(({ filename, contentType }) => ({ filename, contentType })),
      );
      expect(stored.every(({ content }) => Buffer.isBuffer(content))).toBe(true);
      expect(stored.map(({ content }) => content.toString('hex'))).toEqual(
        attachments.map(({ content }) => content.toString('hex')),
      );
    });

    it('survives a crash', async () => {
      const content = noise(300_000);
      const attachments = [{ filename: 'a.bin', contentType: 'application/octet-stream', content }];
      const { id } = await accept({ attachments, attachmentsUntil: LATER, body: { html: ODD_TEXT } });
      await subject.crash();
      const { body, attachments: stored } = await jobOf(id);
      expect(body?.html).toBe(ODD_TEXT);
      expect(stored.map((attachment) => attachment.content.equals(content))).toEqual([true]);
    });
  });
}
