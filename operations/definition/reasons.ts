import { reasonsOf } from '../../lib/reason';

/** Why an operation is refused. `label` is the argument or option that it is about, as the help writes it. */
export const why = reasonsOf({
  // What was given.
  value: ['{label} {rule}.', '{label} {rule}.'],
  value_is: ['{label} {rule} (is {given}).', '{label} {rule} (isinya {given}).'],
  at: ['{label}: {reason}', '{label}: {reason}'],
  file: ['{name} {rule}.', '{name} {rule}.'],
  no_file: ['{name} {rule}', '{name} {rule}'],
  no_field: ['{field} is not a field of {operation}.', '{field} bukan bidang dari {operation}.'],
  missing: ['{label} is missing.', '{label} belum diisi.'],
  missing_one_of: ['{label} is missing: there are {count}.', '{label} belum diisi: ada {count}.'],
  either: ['Give either {one} or {other}.', 'Isi {one} atau {other}.'],
  not_both: ['Give {one} or {other}, and not both.', 'Isi {one} atau {other}, jangan keduanya.'],
  exclude: ['{one} and {other} exclude each other.', '{one} dan {other} tidak bisa bersama.'],
  rate_or_default: ['{label} and a rate exclude each other.', '{label} dan sebuah laju tidak bisa bersama.'],
  goes_with: ['{label} goes with {other}.', '{label} harus bersama {other}.'],
  goes_only_with: ['{label} goes with {other} only.', '{label} hanya bersama {other}.'],
  goes_without: ['{label} goes without {one} and {two}.', '{label} tanpa {one} dan {two}.'],
  given_with: ['{label} is given with {other}.', '{label} diisi bersama {other}.'],
  both_for: ['{one} and {two} are for {label}.', '{one} dan {two} hanya untuk {label}.'],
  nothing: ['Nothing to change.', 'Tidak ada yang diubah.'],
  no_change: ['No option says what to change.', 'Tidak ada yang diubah.'],
  repeat: ['It may or may not have happened: {error}', 'Belum pasti apakah sudah terjadi: {error}'],
  end_first: ['{label}: must be before the end of the time.', '{label}: harus sebelum akhir waktunya.'],
  most_days: ['{label}: at most {most} days by {unit}.', '{label}: paling banyak {most} hari per {unit}.'],
  at_most: ['{label}: at most {most}.', '{label}: paling banyak {most}.'],
  no_pages: ['{label}: this search has no numbered pages.', '{label}: pencarian ini tidak punya halaman bernomor.'],
  counted: [
    '{label}: only the first {most} messages have pages.',
    '{label}: hanya {most} pesan pertama punya halaman.',
  ],
  not_after: ['{label} must not be after {other}.', '{label} tidak boleh sesudah {other}.'],
  passed: ['{label}: the time has passed.', '{label}: waktunya sudah lewat.'],
  far: ['{label}: the time is more than {most} days ahead.', '{label}: waktunya lebih dari {most} hari ke depan.'],
  unwritable: ['{label}: {file} cannot be written: {error}', '{label}: {file} tidak bisa ditulis: {error}'],
  hour: ['hour', 'jam'],
  day: ['day', 'hari'],
  addresses: ['addresses', 'alamat'],
  store: ['{text}', '{text}'],

  // Roles.
  role: ['This takes the role {role}.', 'Ini memerlukan peran {role}.'],
  role_installation: ['This takes the role {role} of the installation.', 'Ini memerlukan peran {role} instalasi.'],
  operator: ['{label} takes the role operator of the installation.', '{label} memerlukan peran operator instalasi.'],
  give_role: ['Only who has the role {role} can give it.', 'Hanya yang punya peran {role} bisa memberikannya.'],
  installation_role: ['The role operator is one of the installation.', 'Peran operator adalah peran instalasi.'],

  // What is named.
  unknown: ['{label}: no {what} "{text}" found.', '{label}: {what} "{text}" tidak ditemukan.'],
  unknown_id: ['{label}: no {what} {id} found.', '{label}: {what} {id} tidak ditemukan.'],
  several: [
    '{label}: {count} {what}s are called "{text}" (ids {ids}).',
    '{label}: {count} {what} bernama "{text}" (id {ids}).',
  ],
  several_keys: ['{label}: several keys are called "{name}".', '{label}: beberapa kunci bernama "{name}".'],
  no_workspace: ['There is no workspace yet.', 'Belum ada ruang kerja.'],
  gone: ['{label}: {name} is gone.', '{label}: {name} sudah tidak ada.'],
  workspace_gone: ['Workspace {id} is gone.', 'Ruang kerja {id} sudah tidak ada.'],
  deleted: ['{label}: {name} was deleted meanwhile.', '{label}: {name} sementara itu dihapus.'],
  workspace_taken: ['{label}: workspace {id} is called "{name}".', '{label}: ruang kerja {id} sudah bernama "{name}".'],
  key_taken: ['{label}: there is a key called "{name}" already.', '{label}: sudah ada kunci bernama "{name}".'],
  key_revoked: ['{label}: key {id} "{name}" is already revoked.', '{label}: kunci {id} "{name}" sudah dicabut.'],

  // People.
  no_member: ['{label}: {email} is not a member of {name}.', '{label}: {email} bukan anggota {name}.'],
  no_user: ['{label}: nobody signs in as {email}.', '{label}: tidak ada yang masuk sebagai {email}.'],
  last_operator: ['{label}: {email} is the last operator.', '{label}: {email} adalah operator terakhir.'],
  not_vouched: [
    '{label}: nobody has vouched for {email} yet, so that it may be the account of whoever sent the invitation.',
    '{label}: belum ada yang menjamin {email}, jadi bisa saja ini akun milik pengirim undangannya.',
  ],
  not_invited: ['{label}: {email} is not invited as an operator.', '{label}: {email} tidak diundang sebagai operator.'],

  // Domains, destinations, warm-ups.
  domain_held: ['{label}: {name} already belongs to {other}.', '{label}: {name} sudah milik {other}.'],
  workspace_id: ['workspace {id}', 'ruang kerja {id}'],
  another_workspace: ['another workspace', 'ruang kerja lain'],
  track_clicks: [
    '{label} is for transactional domains: the links of marketing mail are always tracked.',
    '{label} hanya untuk domain transaksional: tautan di email pemasaran selalu dilacak.',
  ],
  keys_changed: ['The keys of this domain were changed meanwhile.', 'Kunci domain ini sementara itu diubah.'],
  no_pending_key: [
    'No key of this domain waits for its record.',
    'Tidak ada kunci domain ini yang menunggu record-nya.',
  ],
  not_slowed: ['{name} is neither slowed nor stopped.', '{name} tidak diperlambat dan tidak dihentikan.'],
  no_server: ['KURIR_MTA_URL names no server {server} here.', 'KURIR_MTA_URL di sini tidak menyebut server {server}.'],
  same_server: [
    'Mail of {domain} goes over {server} already, so what is above the volume of a day would too.',
    'Email dari {domain} sudah lewat {server}, jadi yang melebihi volume sehari juga akan lewat sana.',
  ],
  warmed: ['{name} is warmed up already, in another way.', '{name} sudah dihangatkan, dengan cara lain.'],
  server_operators: ['{label} is for operators of the installation.', '{label} hanya untuk operator instalasi.'],
  no_pacing: [
    'A warm-up needs pacing by destination, which is off here.',
    'Pemanasan memerlukan pengaturan laju per tujuan, yang di sini tidak aktif.',
  ],
  warmup_operators: [
    'The warm-up of a server is ended by operators of the installation.',
    'Pemanasan sebuah server diakhiri oleh operator instalasi.',
  ],

  // The installation.
  no_sandbox: ['There is no sandbox in {folder}.', 'Tidak ada sandbox di {folder}.'],
  no_inbox: [
    'There is no sandbox whose inbox could show it.',
    'Tidak ada sandbox yang kotak masuknya bisa menampilkannya.',
  ],
  no_sandbox_mail: ['{label}: no mail {id} in the sandbox.', '{label}: tidak ada email {id} di sandbox.'],
  reset: ['This deletes {contents} in {path}.', 'Ini menghapus {contents} di {path}.'],
  no_service: ['No service runs here.', 'Tidak ada layanan yang berjalan di sini.'],
  audit_runs: ['An audit runs already.', 'Sebuah audit sedang berjalan.'],
  address_while_running: [
    'KURIR_HTTP_PORT is 0, so the address of the service is known only while it runs.',
    'KURIR_HTTP_PORT adalah 0, jadi alamat layanan hanya diketahui selama layanan berjalan.',
  ],
  address_unknown: [
    'KURIR_HTTP_PORT is 0, so the address of the service is not known.',
    'KURIR_HTTP_PORT adalah 0, jadi alamat layanan tidak diketahui.',
  ],

  // Images and templates.
  images_full: [
    'The workspace may keep {count} images of {size} MB together.',
    'Ruang kerja boleh menyimpan {count} gambar, {size} MB seluruhnya.',
  ],
  image_used: [
    '{name} is used by {what} {id}: its mails would show no image, those that were sent too.',
    '{name} dipakai {what} {id}: email-nya, juga yang sudah terkirim, tidak akan menampilkan gambarnya.',
  ],

  // Contacts, files of contacts.
  unreadable: ['{name} cannot be read: {error}', '{name} tidak bisa dibaca: {error}'],
  of_file: ['{name}: {reason}', '{name}: {reason}'],
  map_twice: ['{label} names a field twice.', 'Satu bidang diisi dua kolom.'],
  map_same: ['{label} gives two fields the same column.', 'Dua bidang diisi kolom yang sama.'],
  confirmations: [
    'Without {consent}, this import sends {mails} confirmation mails, which cost {coins} coins; the balance is {balance}.',
    'Tanpa {consent}, impor ini mengirim {mails} email konfirmasi seharga {coins} koin; saldonya {balance}.',
  ],
  import_coins: [
    'Not enough coins: the import needs {needed}, and the balance is {balance}.',
    'Koin tidak cukup: impor ini memerlukan {needed}, dan saldonya {balance}.',
  ],

  // Messages and webhooks.
  mail_gone: ['{label}: the mail of message {id} is gone.', '{label}: email pesan {id} sudah tidak ada.'],
  not_own: [
    '{label}: message {id} was not sent by a program of yours.',
    '{label}: pesan {id} tidak dikirim oleh program Anda.',
  ],
  on_its_way: [
    '{label}: message {id} is {status}: it is still on its way.',
    '{label}: pesan {id} berstatus {status}: masih dalam perjalanan.',
  ],
  had_attachments: [
    '{label}: message {id} had attachments{count}, which are deleted.',
    '{label}: pesan {id} punya lampiran{count}, yang sudah dihapus.',
  ],
  no_active_domain: [
    '{label}: {email} is at no active sending domain.',
    '{label}: {email} tidak di domain pengirim yang aktif.',
  ],
  suppressed: ['{label}: {email} is on a suppression list.', '{label}: {email} ada di daftar blokir.'],
  unsubscribed: [
    '{label}: {email} is unsubscribed, bounced or complained.',
    '{label}: {email} berhenti berlangganan, terpental, atau melaporkan spam.',
  ],
  module_closed: ['The email module is closed.', 'Modul email sedang ditutup.'],
  no_coin: ['Not enough coins for one mail.', 'Koin tidak cukup untuk satu email.'],
  mail_refused: ['The mail was refused: {because}.', 'Emailnya ditolak: {because}.'],
  webhook_inactive: ['Webhook {id} is not active.', 'Webhook {id} tidak aktif.'],
  no_delivery: [
    '{label}: webhook {id} has no delivery "{delivery}".',
    '{label}: webhook {id} tidak punya kiriman "{delivery}".',
  ],
  webhook_limit: ['A workspace has at most {most} webhooks.', 'Sebuah ruang kerja paling banyak punya {most} webhook.'],
});
