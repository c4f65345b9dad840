/** The texts of the coins. */
export const EN = {
  coinsTitle: 'Coins',
  coinsBalance: 'coins',
  coinsPremium: 'premium account',
  coinsFree: 'free account',
  coinsEnds: 'premium until',
  coinsLedger: 'Ledger',
  coinsAbout:
    'debit: a mail was taken to be sent. refund: it was not handed over after all. penalty: it was sent to an address that must get no mail, once a day for each. topup and grant: coins came in.',
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
    'debit: sebuah email diambil untuk dikirim. refund: ternyata tidak diserahkan. penalty: dikirim ke alamat yang tidak boleh menerima email, sekali sehari untuk tiap alamat. topup dan grant: koin masuk.',
  coinsRow: 'Baris',
  coinsTime: 'Waktu',
  coinsKind: 'Jenis',
  coinsAmount: 'Koin',
  coinsMessage: 'Pesan',
  coinsNone: 'Belum ada baris.',
};
