/** The texts of the coins. */
export const EN = {
  coinsTitle: 'Coins',
  coinsBalance: 'Balance',
  coinsPremium: 'Premium plan',
  coinsFree: 'Free plan',
  coinsEnds: 'Premium until',
  coinsLedger: 'Ledger',
  coinsAbout:
    'Each email uses 1 coin. An email that was not sent is refunded. An email to a suppressed address costs a penalty, at most once a day per address.',
  coinsWhere: 'Summary',
  coinsWhereAbout: 'Last {n|# entry|# entries}, since',
  coinsRows: '{n|# entry|# entries}',
  coinsRow: 'Entry',
  coinsTime: 'Date',
  coinsKind: 'Type',
  coinsAmount: 'Coins',
  coinsMessage: 'Message',
  coinsNone: 'No entries yet.',
} as const;

/** The same in Indonesian. */
export const ID: Record<keyof typeof EN, string> = {
  coinsTitle: 'Koin',
  coinsBalance: 'Saldo',
  coinsPremium: 'Paket premium',
  coinsFree: 'Paket gratis',
  coinsEnds: 'Premium sampai',
  coinsLedger: 'Buku koin',
  coinsAbout:
    'Setiap email memakai 1 koin. Koin dikembalikan jika email tidak terkirim. Email ke alamat yang diblokir dikenai penalti, maksimal sekali sehari per alamat.',
  coinsWhere: 'Rangkuman',
  coinsWhereAbout: '{n|# entri} terakhir, sejak',
  coinsRows: '{n|# entri}',
  coinsRow: 'Entri',
  coinsTime: 'Tanggal',
  coinsKind: 'Jenis',
  coinsAmount: 'Koin',
  coinsMessage: 'Pesan',
  coinsNone: 'Belum ada entri.',
};
