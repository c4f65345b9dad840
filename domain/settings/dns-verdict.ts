import { reasonsOf, type Reason } from '../../lib/reason';
import type { FindingName } from '../deliverability/finding';

/** The result of comparing the DNS with the expected record. `fault` says what is wrong if it differs. */
export interface DnsVerdict {
  status: 'ok' | 'missing' | 'differs' | 'unknown';
  fault: Reason | null;
  /** How `kurir domain doctor` names it; null where it is right or not known. */
  check: FindingName | null;
  /** The value to publish, where it is not the expected one since it keeps what is there. */
  publish?: string;
}

/** What is wrong with a DNS record of a domain. */
export const recordFault = reasonsOf({
  missing: ['the record is missing', 'record ini belum ada'],
  unanswered: ['could not be looked up ({why}); try again later', 'tidak bisa dicari di DNS ({why}): coba lagi nanti'],
  not_expected: [
    'the expected value is not known: see kurir domain dns',
    'nilai yang seharusnya belum diketahui: lihat kurir domain dns',
  ],
  no_key: ['the record is not a DKIM key', 'record ini bukan kunci DKIM'],
  several_keys: [
    'there are several keys; a receiver may use the wrong one',
    'ada beberapa kunci; penerima bisa memakai kunci yang salah',
  ],
  revoked: ['the key is revoked (p= is empty)', 'kuncinya sudah dicabut (p= kosong)'],
  other_key: ['the key is a different one', 'kuncinya berbeda'],
  wrong_key: ['v or k is wrong', 'v atau k salah'],
  elsewhere: ['it points to another host', 'record ini menunjuk ke host lain'],
  shared: ['other hosts would get reports too', 'host lain juga akan menerima laporannya'],
  several: [
    'there are several {kind} records, which makes all of them invalid',
    'ada beberapa record {kind}, sehingga semuanya tidak berlaku',
  ],
  no_policy: [
    'it has no policy (p=none, quarantine or reject)',
    'record ini tidak punya kebijakan (p=none, quarantine, atau reject)',
  ],
  lacks: ['{terms} is missing', '{terms} belum ada'],
  behind: ['{terms} comes after {by}, which decides first', '{terms} berada setelah {by}, yang lebih dulu menentukan'],
  open: ['it allows any server to send (+all)', 'record ini mengizinkan server mana pun mengirim (+all)'],
  no_spf: [
    'it does not start with "v=spf1 ", so it is not an SPF record: remove the quotation mark or space before it',
    'record ini tidak diawali "v=spf1 ", jadi bukan record SPF: hapus tanda kutip atau spasi di depannya',
  ],
  syntax: [
    '{what} is not an SPF term, which makes the whole record invalid',
    '{what} bukan bagian SPF yang benar, sehingga seluruh record tidak berlaku',
  ],
  look_ups: [
    'it needs more than 10 DNS look-ups, which makes the record invalid',
    'pencarian DNS-nya lebih dari 10, sehingga record tidak berlaku',
  ],
  void: [
    'more than two of its names do not exist, which makes the record invalid',
    'lebih dari dua nama di dalamnya tidak ada, sehingga record tidak berlaku',
  ],
  include: [
    '{what} has no SPF record, which makes the record that includes it invalid',
    '{what} tidak punya record SPF, sehingga record yang menyebutnya tidak berlaku',
  ],
  include_several: [
    '{what} has several SPF records, which makes all of them invalid',
    '{what} punya beberapa record SPF, sehingga semuanya tidak berlaku',
  ],
  said: ['{what}', '{what}'],
  inside: ['in the record of {at}: {fault}', 'dalam record {at}: {fault}'],
});

export const OK: DnsVerdict = { status: 'ok', fault: null, check: null };
export const missing = (check: FindingName): DnsVerdict => ({
  status: 'missing',
  fault: recordFault('missing'),
  check,
});
export const differs = (check: FindingName, fault: Reason): DnsVerdict => ({ status: 'differs', fault, check });
export const unanswered = (why: string): DnsVerdict => ({
  status: 'unknown',
  fault: recordFault('unanswered', { why }),
  check: 'dns-failed',
});
