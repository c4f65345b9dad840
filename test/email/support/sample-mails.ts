import type { ComposeInput } from '../../../email/compose';
import { composeInput, LINKS } from './compose-input';

/** Mails that are easily changed on the way, or hard to put together. */
export const SAMPLE_MAILS: [string, ComposeInput][] = [
  ['a plain mail', composeInput()],
  [
    'text in other scripts',
    composeInput({
      message: { subject: 'Promo – 50% 🎉 '.repeat(12), fromName: 'Tokö 発', replyTo: 'cs@bücher.example' },
      contactName: 'Bùdi',
      body: { html: '<p>Halo {{nama}} — 発注書 🎉</p>'.repeat(50), text: null },
    }),
  ],
  [
    'long lines',
    composeInput({
      body: { html: `<p>${'kata '.repeat(5_000)}${'x'.repeat(5_000)}</p>`, text: `${'kata '.repeat(5_000)}  ` },
    }),
  ],
  [
    'dots and "From " at line starts',
    composeInput({ body: { html: '.\n..\n.x\n\nFrom me\n.\n', text: '.\r\n.\r\n\r\nFrom me\r\n..\n \t \n\n\n' } }),
  ],
  [
    'folded headers',
    composeInput({
      message: {
        subject: 'kata '.repeat(45),
        fromName: 'Nama yang sangat panjang, sekali '.repeat(3),
        replyTo: `${'a'.repeat(60)}@${'b'.repeat(60)}.example`,
      },
    }),
  ],
  [
    'white space everywhere',
    composeInput({
      message: { subject: '  a   b  \t c  ' },
      body: { html: '<p> a  \t b </p>   \n\n\t\n<p>x</p>\n   ', text: ' a  b\t\tc  ' },
    }),
  ],
  [
    'attachments',
    composeInput({
      attachments: [
        { filename: 'résumé.pdf', contentType: 'application/pdf', content: Buffer.alloc(300_000, 'PDF') },
        { filename: 'kosong.txt', contentType: 'text/plain', content: Buffer.alloc(0) },
      ],
    }),
  ],
  ['a mail of a campaign', composeInput({ message: { campaignId: 12 }, trackConversions: true, contactName: null })],
  [
    'mail of a campaign',
    composeInput({
      message: { campaignId: 42, channel: 'app' },
      body: { html: '<body><p>Halo</p><a href="{{versi_web}}">{{versi_web}}</a></body>', text: null },
      preheader: 'Hanya hari ini, {{nama}}',
      links: { ...LINKS, browser: 'https://t.kurir.test/m/1' },
    }),
  ],
];
