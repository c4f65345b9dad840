/** The texts of the coins. */
export const EN = {
  coinsTitle: 'Coins',
  coinsBalance: 'Balance',
  coinsPremium: 'Premium plan',
  coinsFree: 'Free plan',
  coinsEnds: 'Premium until',
  coinsLedger: 'Ledger',
  coinsAbout:
    'Each email uses 1 coin, refunded if it is not sent. A hard bounce, a spam report or an email to an address that cannot receive email costs a penalty of 4 coins.',
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
    'Setiap email memakai 1 koin, yang dikembalikan jika email tidak terkirim. Hard bounce, laporan spam, atau email ke alamat yang tidak bisa menerima email dikenai penalti 4 koin.',
  coinsWhere: 'Ringkasan',
  coinsWhereAbout: '{n|# entri} terakhir, sejak',
  coinsRows: '{n|# entri}',
  coinsRow: 'Entri',
  coinsTime: 'Tanggal',
  coinsKind: 'Jenis',
  coinsAmount: 'Koin',
  coinsMessage: 'Pesan',
  coinsNone: 'Belum ada entri.',
};
