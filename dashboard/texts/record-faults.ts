import type { Pair } from './reasons';

/** What is wrong with a DNS record of a domain, as `domain check` says it. */
export const RECORD_FAULTS: readonly Pair[] = [
  ['the record is missing', 'record ini belum ada'],
  ['the record is not a DKIM key', 'record ini bukan kunci DKIM'],
  ['it is a different key', 'kuncinya lain'],
  ['the key is revoked (p= is empty)', 'kuncinya sudah dicabut (p= kosong)'],
  ['v or k is wrong', 'v atau k salah'],
  [
    'there are several keys; a receiver may use the wrong one',
    'ada beberapa kunci; penerima bisa memakai kunci yang salah',
  ],
  ['it points to another host', 'record ini menunjuk ke host lain'],
  ['other hosts would get reports too', 'host lain juga akan menerima laporannya'],
  [
    'there are several {kind} records, which makes all of them invalid',
    'ada beberapa record {kind}, sehingga semuanya tidak berlaku',
  ],
  [
    'it has no policy (p=none, quarantine or reject)',
    'record ini tidak punya kebijakan (p=none, quarantine, atau reject)',
  ],
  ['{terms} is missing', '{terms} belum ada'],
  ['{terms} stands after {by}, which decides before it', '{terms} berada setelah {by}, yang lebih dulu menentukan'],
  ['it allows any server to send (+all)', 'record ini mengizinkan server mana pun mengirim (+all)'],
  [
    'it does not begin with "v=spf1 ", so it is no SPF record: there may be no quotation mark or space before',
    'record ini tidak diawali "v=spf1 ", jadi bukan record SPF: hapus tanda kutip atau spasi di depannya',
  ],
  [
    'in the record of {at}: {name} is no term of SPF, which makes the whole record invalid',
    'dalam record {at}: {name} bukan bagian SPF yang benar, sehingga seluruh record tidak berlaku',
  ],
  [
    '{name} is no term of SPF, which makes the whole record invalid',
    '{name} bukan bagian SPF yang benar, sehingga seluruh record tidak berlaku',
  ],
  [
    'in the record of {at}: it takes more than 10 look-ups, which makes the record invalid',
    'dalam record {at}: pencarian DNS-nya lebih dari 10, sehingga record tidak berlaku',
  ],
  [
    'it takes more than 10 look-ups, which makes the record invalid',
    'pencarian DNS-nya lebih dari 10, sehingga record tidak berlaku',
  ],
  [
    'in the record of {at}: more than two of its names do not exist, which makes the record invalid',
    'dalam record {at}: lebih dari dua nama di dalamnya tidak ada, sehingga record tidak berlaku',
  ],
  [
    'more than two of its names do not exist, which makes the record invalid',
    'lebih dari dua nama di dalamnya tidak ada, sehingga record tidak berlaku',
  ],
  [
    'in the record of {at}: {name} has no SPF record, which makes the record that names it invalid',
    'dalam record {at}: {name} tidak punya record SPF, sehingga record yang menyebutnya tidak berlaku',
  ],
  [
    '{name} has no SPF record, which makes the record that names it invalid',
    '{name} tidak punya record SPF, sehingga record yang menyebutnya tidak berlaku',
  ],
  [
    '{name} has several SPF records, which makes all of them invalid',
    '{name} punya beberapa record SPF, sehingga semuanya tidak berlaku',
  ],
  ['could not be looked up ({why}): try again later', 'tidak bisa dicari di DNS ({why}): coba lagi nanti'],
  [
    'the expected value is not known: see kurir domain dns',
    'nilai yang seharusnya belum diketahui: lihat kurir domain dns',
  ],
];
