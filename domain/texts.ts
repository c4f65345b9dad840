/** The fixed texts of docs/contract.md, word for word. */
export const texts = {
  // failed_reason
  domainInactiveAtSend: 'Domain pengirim tidak aktif.',
  workspaceSuspended: 'Workspace disuspend.',
  contactDeleted: 'Kontak sudah dihapus.',
  contactUnsubscribed: 'Kontak sudah tidak berlangganan.',
  suppressed: 'Penerima ada di suppression list.',
  noCoins: 'Saldo koin habis — top-up koin untuk lanjut mengirim.',
  retriesExhausted: 'MTA menolak sementara terus-menerus:',
  delayed: 'Ditunda sementara',
  noRecord: 'Tidak ada catatan pengiriman dari MTA.',
  campaignCancelled: 'Campaign dibatalkan.',
  cancelled: 'Dibatalkan.',
  attachmentsExpired: 'Lampiran kedaluwarsa setelah 4 hari.',
  addressNotSupported: 'Alamat dengan karakter non-ASCII sebelum @ tidak didukung server pengirim.',
  mailTooLarge: (size: number | string, largest: number | string) =>
    `Ukuran email ${size} byte melebihi batas server pengirim (${largest} byte).`,
  // business refusals of POST /messages
  domainInactive: 'Domain pengirim belum aktif/terverifikasi.',
  recipientUnsubscribed: 'Penerima sudah unsubscribe.',
  // business refusals of POST /campaigns/{id}/send
  businessAddressMissing: 'Alamat bisnis belum diisi. Isi di pengaturan akun sebelum mengirim campaign.',
  campaignContentMissing: 'Konten email campaign ini belum diisi.',
  campaignCoins: (needed: number | string, balance: number | string) =>
    `Saldo koin tidak cukup: butuh ${needed} koin, saldo ${balance}. Top-up koin untuk melanjutkan.`,
  campaignNotApproved: 'Campaign ini belum disetujui pemilik akun.',
  campaignNotDraft: 'Campaign ini bukan draft.',
  // business refusals of POST /campaigns/{id}/pause, resume and cancel
  campaignNotLive: 'Campaign ini tidak sedang berjalan.',
  campaignNotPaused: 'Campaign ini tidak sedang dijeda.',
  campaignNotStarted: 'Campaign ini tidak sedang berjalan atau dijeda.',
  // pause_reason of a campaign
  campaignBraked: (bad: number | string, of: number | string) =>
    `Dijeda otomatis: ${bad} dari ${of} email terakhir bounce permanen atau dilaporkan sebagai spam.`,
  // business refusals of POST /journeys/{id}/enroll
  journeyNotApi: 'Journey ini tidak dipicu lewat API.',
  journeyInactive: 'Journey ini belum aktif.',
  contactUnsubscribedHere: 'Kontak ini sudah berhenti berlangganan.',
  // answers of POST /journeys/{id}/enroll
  journeyEntered: 'Kontak masuk ke journey ini.',
  journeyEnteredBefore: 'Kontak ini sudah pernah masuk ke journey ini.',
  // business refusal of POST /webhooks
  webhookLimit: 'Maksimal 10 webhook per workspace. Hapus salah satu untuk menambah yang baru.',
  // refusal of DELETE /messages/{id}
  messageTooLate: 'Email ini sudah diproses dan tidak bisa dibatalkan.',
  // authentication
  missingKey: 'Missing API key.',
  invalidKey: 'Invalid or revoked API key.',
  missingScope: (scope: string) => `API key ini tidak punya scope '${scope}'.`,
  moduleInactive: (appUrl: string) => `Modul Email Marketing belum aktif untuk akun ini. Aktifkan di ${appUrl}/produk.`,
  moduleClosed: 'Modul Email Marketing sedang tidak tersedia.',
  // protocol
  notFound: 'Not Found.',
  methodNotAllowed: 'Method Not Allowed.',
  tooMany: 'Too Many Attempts.',
  serverError: 'Server Error',
  switchedOff: 'Service Unavailable',
} as const;
