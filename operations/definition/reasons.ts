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
  missing_one_of: ['{label} is missing: choose one of the {count} workspaces.', '{label} belum diisi: ada {count}.'],
  either: ['Use either {one} or {other}.', 'Isi {one} atau {other}.'],
  not_both: ['Use either {one} or {other}, not both.', 'Isi {one} atau {other}, jangan keduanya.'],
  exclude: ['{one} and {other} cannot be used together.', '{one} dan {other} tidak bisa bersama.'],
  rate_or_default: ['{label} and a rate cannot be used together.', '{label} dan sebuah laju tidak bisa bersama.'],
  goes_with: ['{label} must be used together with {other}.', '{label} harus bersama {other}.'],
  goes_only_with: ['{label} can only be used together with {other}.', '{label} hanya bersama {other}.'],
  goes_without: ['{label} cannot be used with {one} or {two}.', '{label} tanpa {one} dan {two}.'],
  given_with: ['{label} must be used together with {other}.', '{label} diisi bersama {other}.'],
  both_for: ['{one} and {two} can only be used with {label}.', '{one} dan {two} hanya untuk {label}.'],
  nothing: ['Nothing to change.', 'Tidak ada yang diubah.'],
  no_change: ['Nothing to change: no option was given.', 'Tidak ada yang diubah.'],
  repeat: ['It is not certain whether this was done: {error}', 'Belum pasti apakah sudah terjadi: {error}'],
  end_first: ['{label}: must be before the end of the period.', '{label}: harus sebelum akhir waktunya.'],
  most_days: ['{label}: at most {most} days by {unit}.', '{label}: paling banyak {most} hari per {unit}.'],
  at_most: ['{label}: at most {most}.', '{label}: paling banyak {most}.'],
  no_pages: ['{label}: this search cannot be paged by number.', '{label}: pencarian ini tidak punya halaman bernomor.'],
  counted: [
    '{label}: only the first {most} messages can be paged by number.',
    '{label}: hanya {most} pesan pertama punya halaman.',
  ],
  not_after: ['{label} must not be after {other}.', '{label} tidak boleh sesudah {other}.'],
  passed: ['{label}: choose a time in the future.', '{label}: waktunya sudah lewat.'],
  far: ['{label}: choose a time at most {most} days ahead.', '{label}: waktunya lebih dari {most} hari ke depan.'],
  unwritable: ['{label}: {file} cannot be written: {error}', '{label}: {file} tidak bisa ditulis: {error}'],
  hour: ['hour', 'jam'],
  day: ['day', 'hari'],
  addresses: ['addresses', 'alamat'],
  store: ['{text}', '{text}'],

  // Roles.
  role: ['You need the role {role} for this.', 'Ini memerlukan peran {role}.'],
  role_installation: [
    'You need the role {role} of the installation for this.',
    'Ini memerlukan peran {role} instalasi.',
  ],
  operator: ['{label} requires the role operator of the installation.', '{label} memerlukan peran operator instalasi.'],
  give_role: ['You can only give a role that you have: {role}.', 'Hanya yang punya peran {role} bisa memberikannya.'],
  installation_role: [
    'The role operator applies to the whole installation, not to a workspace.',
    'Peran operator adalah peran instalasi.',
  ],

  // What is named.
  unknown: ['{label}: no {what} "{text}" found.', '{label}: {what} "{text}" tidak ditemukan.'],
  unknown_id: ['{label}: no {what} {id} found.', '{label}: {what} {id} tidak ditemukan.'],
  several: [
    '{label}: {count} {what}s are called "{text}" (ids {ids}).',
    '{label}: {count} {what} bernama "{text}" (id {ids}).',
  ],
  several_keys: ['{label}: several keys are called "{name}".', '{label}: beberapa kunci bernama "{name}".'],
  no_workspace: ['There are no workspaces yet.', 'Belum ada ruang kerja.'],
  gone: ['{label}: {name} no longer exists.', '{label}: {name} sudah tidak ada.'],
  workspace_gone: ['Workspace {id} no longer exists.', 'Ruang kerja {id} sudah tidak ada.'],
  deleted: ['{label}: {name} has been deleted in the meantime.', '{label}: {name} sudah dihapus.'],
  workspace_taken: [
    '{label}: workspace {id} already has the name "{name}".',
    '{label}: ruang kerja {id} sudah bernama "{name}".',
  ],
  key_taken: ['{label}: a key called "{name}" already exists.', '{label}: sudah ada kunci bernama "{name}".'],
  key_revoked: ['{label}: key {id} "{name}" is already revoked.', '{label}: kunci {id} "{name}" sudah dicabut.'],

  // People.
  no_member: ['{label}: {email} is not a member of {name}.', '{label}: {email} bukan anggota {name}.'],
  no_user: ['{label}: there is no user {email}.', '{label}: tidak ada yang masuk sebagai {email}.'],
  last_operator: ['{label}: {email} is the last administrator.', '{label}: {email} adalah administrator terakhir.'],
  not_vouched: [
    '{label}: the address of {email} is not proved yet, so the account may belong to someone else.',
    '{label}: belum ada yang menjamin {email}, jadi bisa saja ini akun milik pengirim undangannya.',
  ],
  not_invited: [
    '{label}: {email} is not invited as an administrator.',
    '{label}: {email} tidak diundang sebagai administrator.',
  ],

  // Domains, destinations, warm-ups.
  domain_held: ['{label}: {name} already belongs to {other}.', '{label}: {name} sudah milik {other}.'],
  workspace_id: ['workspace {id}', 'ruang kerja {id}'],
  another_workspace: ['another workspace', 'ruang kerja lain'],
  track_clicks: [
    '{label} applies to transactional domains only: clicks in marketing email are always tracked.',
    '{label} hanya untuk domain transaksional: tautan di email pemasaran selalu dilacak.',
  ],
  keys_changed: ['The keys of this domain have changed in the meantime.', 'Kunci domain ini sudah diubah.'],
  no_pending_key: [
    'This domain has no key that waits for its DNS record.',
    'Tidak ada kunci domain ini yang menunggu record-nya.',
  ],
  not_slowed: ['{name} is neither slowed nor stopped.', '{name} tidak diperlambat dan tidak dihentikan.'],
  no_server: [
    'KURIR_MTA_URL does not name a server {server} here.',
    'KURIR_MTA_URL di sini tidak menyebut server {server}.',
  ],
  same_server: [
    'Email from {domain} already goes through {server}, and so would email above the daily volume.',
    'Email dari {domain} sudah lewat {server}, jadi yang melebihi volume sehari juga akan lewat sana.',
  ],
  warmed: ['{name} is already being warmed up with other settings.', '{name} sudah dihangatkan, dengan cara lain.'],
  server_operators: [
    '{label} is for administrators of the installation.',
    '{label} hanya untuk administrator instalasi.',
  ],
  no_pacing: [
    'A warm-up requires pacing by destination, which is off here.',
    'Pemanasan memerlukan pengaturan laju per tujuan, yang di sini tidak aktif.',
  ],
  warmup_operators: [
    'Only administrators of the installation can end the warm-up of a server.',
    'Pemanasan sebuah server hanya bisa diakhiri administrator instalasi.',
  ],

  // The installation.
  no_sandbox: ['There is no sandbox in {folder}.', 'Tidak ada sandbox di {folder}.'],
  no_inbox: ['There is no sandbox inbox to show it in.', 'Tidak ada sandbox yang kotak masuknya bisa menampilkannya.'],
  no_sandbox_mail: ['{label}: there is no message {id} in the sandbox.', '{label}: tidak ada email {id} di sandbox.'],
  reset: ['This deletes {contents} in {path}.', 'Ini menghapus {contents} di {path}.'],
  no_service: ['No service is running here.', 'Tidak ada layanan yang berjalan di sini.'],
  audit_runs: ['An audit is already running.', 'Sebuah audit sedang berjalan.'],
  address_while_running: [
    'KURIR_HTTP_PORT is 0, so the address of the service is only known while it runs.',
    'KURIR_HTTP_PORT adalah 0, jadi alamat layanan hanya diketahui selama layanan berjalan.',
  ],
  address_unknown: [
    'KURIR_HTTP_PORT is 0, so the address of the service is not known.',
    'KURIR_HTTP_PORT adalah 0, jadi alamat layanan tidak diketahui.',
  ],

  // Images and templates.
  images_full: [
    'A workspace can store at most {count} images, {size} MB in total.',
    'Ruang kerja boleh menyimpan {count} gambar, {size} MB seluruhnya.',
  ],
  image_used: [
    '{name} is used by {what} {id}. Emails that show it, including sent ones, would lose the image.',
    '{name} dipakai {what} {id}: email-nya, juga yang sudah terkirim, tidak akan menampilkan gambarnya.',
  ],

  // Contacts, files of contacts.
  unreadable: ['{name} cannot be read: {error}', '{name} tidak bisa dibaca: {error}'],
  of_file: ['{name}: {reason}', '{name}: {reason}'],
  map_twice: ['{label} names a field twice.', 'Satu bidang diisi dua kolom.'],
  map_same: ['{label} gives two fields the same column.', 'Dua bidang diisi kolom yang sama.'],
  confirmations: [
    'Without {consent}, this import sends {mails} confirmation emails, which cost {coins} coins. The balance is {balance}.',
    'Tanpa {consent}, impor ini mengirim {mails} email konfirmasi seharga {coins} koin; saldonya {balance}.',
  ],
  import_coins: [
    'Not enough coins: the import needs {needed}, and the balance is {balance}.',
    'Koin tidak cukup: impor ini memerlukan {needed}, dan saldonya {balance}.',
  ],

  // Messages and webhooks.
  mail_gone: ['{label}: the content of message {id} no longer exists.', '{label}: email pesan {id} sudah tidak ada.'],
  not_own: [
    '{label}: message {id} was not sent by API or SMTP.',
    '{label}: pesan {id} tidak dikirim oleh program Anda.',
  ],
  on_its_way: [
    '{label}: message {id} is {status} and has not reached its final status.',
    '{label}: pesan {id} berstatus {status}: masih dalam perjalanan.',
  ],
  had_attachments: [
    '{label}: message {id} had attachments{count}, which have been deleted.',
    '{label}: pesan {id} punya lampiran{count}, yang sudah dihapus.',
  ],
  no_active_domain: [
    '{label}: {email} does not use an active sending domain.',
    '{label}: {email} tidak di domain pengirim yang aktif.',
  ],
  suppressed: ['{label}: {email} is suppressed.', '{label}: {email} ada di daftar blokir.'],
  unsubscribed: [
    '{label}: {email} has unsubscribed, bounced or complained.',
    '{label}: {email} berhenti berlangganan, terpental, atau melaporkan spam.',
  ],
  module_closed: ['The email module is off.', 'Modul email sedang ditutup.'],
  no_coin: ['Not enough coins to send an email.', 'Koin tidak cukup untuk satu email.'],
  mail_refused: ['The email was refused: {because}.', 'Emailnya ditolak: {because}.'],
  webhook_inactive: ['Webhook {id} is not active.', 'Webhook {id} tidak aktif.'],
  no_delivery: [
    '{label}: webhook {id} has no delivery "{delivery}".',
    '{label}: webhook {id} tidak punya kiriman "{delivery}".',
  ],
  webhook_limit: [
    'A workspace can have at most {most} webhooks.',
    'Sebuah ruang kerja paling banyak punya {most} webhook.',
  ],
});
