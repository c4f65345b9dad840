/** The texts of the coins. */
export const EN = {
  coinsTitle: 'Coins',
  coinsBalance: 'coins',
  coinsPremium: 'premium account',
  coinsFree: 'free account',
  coinsEnds: 'premium until',
  coinsLedger: 'Ledger',
  coinsAbout:
    'Each mail that is sent costs a coin. Refund: it was not handed over after all. Penalty: it went to an address that must get no mail, once a day for each. Top-up and gift: coins came in.',
  coinsWhere: 'Where they went and came from',
  coinsWhereAbout: 'The newest {n} rows of the ledger, since',
  coinsRows: '{n|# entry|# entries}',
  coinsRow: 'Row',
  coinsTime: 'Time',
  coinsKind: 'Kind',
  coinsAmount: 'Coins',
  coinsMessage: 'Message',
  coinsNone: 'No row yet.',
} as const;

/** The same in Indonesian. */
export const ID: Record<keyof typeof EN, string> = {
  coinsTitle: 'Koin',
  coinsBalance: 'koin',
  coinsPremium: 'akun premium',
  coinsFree: 'akun gratis',
  coinsEnds: 'premium sampai',
  coinsLedger: 'Buku koin',
  coinsAbout:
    'Setiap email yang dikirim memakai satu koin. Pengembalian: ternyata tidak diserahkan. Penalti: dikirim ke alamat yang tidak boleh menerima email, sekali sehari untuk tiap alamat. Isi ulang dan hadiah: koin masuk.',
  coinsWhere: 'Ke mana dan dari mana koinnya',
  coinsWhereAbout: '{n} baris terbaru dari buku koin, sejak',
  coinsRows: '{n|# baris}',
  coinsRow: 'Baris',
  coinsTime: 'Waktu',
  coinsKind: 'Jenis',
  coinsAmount: 'Koin',
  coinsMessage: 'Pesan',
  coinsNone: 'Belum ada baris.',
};
