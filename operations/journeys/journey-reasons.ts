import { reasonsOf } from '../../lib/reason';

/** Why something is refused of a journey, and what will be as long as it is as it is now. */
export const journeyReason = reasonsOf({
  not_api: ['It is not entered that way.', 'Perjalanan ini tidak dimasuki dengan cara itu.'],
  not_active: ['The journey is not active.', 'Perjalanan ini tidak aktif.'],
  suppressed: ['The address is on a suppression list.', 'Alamat ini ada di daftar blokir.'],
  unsubscribed: ['The contact is not subscribed.', 'Kontak ini tidak berlangganan.'],
  not_in: ['{label}: {email} is not in "{name}".', '{label}: {email} tidak ada di "{name}".'],
  draft: ['{label}: "{name}" is a draft.', '{label}: "{name}" masih draf.'],
  in_use: [
    '{label}: "{name}" is no draft, or contacts entered it.',
    '{label}: "{name}" bukan draf, atau sudah dimasuki kontak.',
  ],
  changed: ['Somebody else has changed the draft meanwhile.', 'Orang lain sementara itu mengubah draf ini.'],
  domain_gone: [
    'Sending domain {id} is gone: mails from it are refused.',
    'Domain pengirim {id} sudah tidak ada: email darinya ditolak.',
  ],
  domain_inactive: [
    '{domain} is {status}: mails from it are refused.',
    '{domain} berstatus {status}: email darinya ditolak.',
  ],
});
