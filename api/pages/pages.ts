import type { Page, Piece } from './page';

/** What the unsubscribe pages show about a mail and its recipient. */
export interface Recipient {
  sender: { name: string; address: string };
  /** Masked; null once the contact was deleted. */
  address: string | null;
  /** False when no mail is sent any more. */
  subscribed: boolean;
}

const page = (status: number, heading: string, ...paragraphs: Page['paragraphs']): Page => ({
  status,
  heading,
  paragraphs,
});
const to = (recipient: Recipient): Piece => (recipient.address === null ? 'Anda' : { strong: recipient.address });

/** The pages a recipient may see, in Indonesian. */
export const pages = {
  notFound: page(404, 'Tautan tidak ditemukan', [
    'Tautan ini tidak lengkap atau sudah tidak berlaku. Silakan buka kembali tautannya langsung dari email yang Anda terima.',
  ]),
  /** Where the link leads that no person sees (docs/machine-signals.md#hidden-link). */
  hiddenLink: page(200, 'Tidak ada apa-apa di sini', [
    'Tautan ini tidak mengarah ke mana pun. Silakan gunakan tautan lain di email yang Anda terima.',
  ]),
  /** Where the API sends those whose workspace lacks the Email Marketing module (docs/contract.md#email-module). */
  products: page(
    200,
    'Email Marketing',
    ['Modul Email Marketing belum aktif untuk akun Anda, sehingga API menolak permintaan ini.'],
    [
      'Modul ini diaktifkan oleh pengelola layanan, dengan perintah ',
      { strong: 'npx kurir workspace module <akun> on' },
      '. Setelah itu permintaan yang sama langsung dapat diulang.',
    ],
  ),
  methodNotAllowed: page(405, 'Permintaan tidak didukung', [
    'Silakan buka tautannya langsung dari email yang Anda terima.',
  ]),
  tooLarge: page(413, 'Permintaan terlalu besar', [
    'Silakan buka kembali tautannya dari email yang Anda terima, lalu coba lagi.',
  ]),
  unreadable: page(400, 'Permintaan tidak terbaca', [
    'Silakan buka kembali tautannya dari email yang Anda terima, lalu coba lagi.',
  ]),
  tryAgain: page(503, 'Sedang ada gangguan', [
    'Permintaan Anda belum dapat diproses. Silakan coba lagi beberapa saat lagi.',
  ]),

  /** Asks first: GET never unsubscribes (docs/architecture.md#signals). */
  askToUnsubscribe: (recipient: Recipient): Page => ({
    ...page(200, 'Berhenti berlangganan?', [
      { strong: recipient.sender.name },
      ' tidak akan lagi mengirim email ke ',
      to(recipient),
      ' setelah Anda menekan tombol di bawah ini.',
    ]),
    button: 'Berhenti berlangganan',
    sender: recipient.sender,
  }),

  alreadyUnsubscribed: (recipient: Recipient): Page => ({
    ...page(
      200,
      'Anda sudah tidak berlangganan',
      [{ strong: recipient.sender.name }, ' tidak lagi mengirim email ke ', to(recipient), '.'],
      ['Tidak ada yang perlu Anda lakukan.'],
    ),
    sender: recipient.sender,
  }),

  /** The contact was deleted, and with it the link from this mail to an address. */
  contactGone: (recipient: Recipient): Page => ({
    ...page(200, 'Data Anda sudah dihapus', [
      'Alamat yang menerima email ini sudah tidak tersimpan di ',
      { strong: recipient.sender.name },
      '. Tidak ada yang perlu Anda lakukan.',
    ]),
    sender: recipient.sender,
  }),

  unsubscribed: (recipient: Recipient): Page => ({
    ...page(
      200,
      'Anda sudah berhenti berlangganan',
      [{ strong: recipient.sender.name }, ' tidak akan lagi mengirim email ke ', to(recipient), '.'],
      ['Email yang sudah telanjur dikirim mungkin masih tiba.'],
    ),
    sender: recipient.sender,
  }),

  /** The request is durably recorded, but its recipient cannot be read at the moment. */
  unsubscribedUnnamed: page(
    200,
    'Anda sudah berhenti berlangganan',
    ['Permintaan Anda sudah kami catat.'],
    ['Email yang sudah telanjur dikirim mungkin masih tiba.'],
  ),
} as const;
