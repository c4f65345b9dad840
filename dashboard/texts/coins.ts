/** The texts of the coins. */
export const EN = {
  coinsTitle: 'Coins',
  coinsBalance: 'coins',
  coinsPremium: 'premium account',
  coinsFree: 'free account',
  coinsEnds: 'premium until',
  coinsLedger: 'Ledger',
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
  coinsRow: 'Baris',
  coinsTime: 'Waktu',
  coinsKind: 'Jenis',
  coinsAmount: 'Koin',
  coinsMessage: 'Pesan',
  coinsNone: 'Belum ada baris.',
};
