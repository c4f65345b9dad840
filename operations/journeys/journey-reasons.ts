import { reasonsOf } from '../../lib/reason';

/** Why something is refused of a journey, and what will be as long as it is as it is now. */
export const journeyReason = reasonsOf({
  not_api: ['This journey has another trigger.', 'Perjalanan ini memakai pemicu lain.'],
  not_active: ['The journey is not active.', 'Perjalanan ini tidak aktif.'],
  suppressed: ['The address is suppressed.', 'Alamat ini ada di daftar blokir.'],
  unsubscribed: ['The contact is not subscribed.', 'Kontak ini tidak berlangganan.'],
  not_in: ['{label}: {email} is not in "{name}".', '{label}: {email} tidak ada di "{name}".'],
  draft: ['{label}: "{name}" is a draft.', '{label}: "{name}" masih draf.'],
  in_use: [
    '{label}: "{name}" is not a draft, or contacts have entered it.',
    '{label}: "{name}" bukan draf, atau sudah dimasuki kontak.',
  ],
  changed: ['Someone else changed this draft.', 'Orang lain sudah mengubah draf ini.'],
  domain_gone: [
    'Sending domain {id} no longer exists: emails from it are rejected.',
    'Domain pengirim {id} sudah tidak ada: email darinya ditolak.',
  ],
  domain_inactive: [
    '{domain} is {status}: emails from it are rejected.',
    '{domain} berstatus {status}: email darinya ditolak.',
  ],
});
