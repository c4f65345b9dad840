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
  missing_one_of: [
    '{label} is missing: choose one of the {count} workspaces.',
    '{label} belum diisi: pilih salah satu dari {count} ruang kerja.',
  ],
  either: ['Use either {one} or {other}.', 'Isi {one} atau {other}.'],
  not_both: ['Use either {one} or {other}, not both.', 'Isi {one} atau {other}, jangan keduanya.'],
  exclude: ['{one} and {other} cannot be used together.', '{one} dan {other} tidak bisa dipakai bersama.'],
  rate_or_default: ['{label} and a rate cannot be used together.', '{label} dan laju tidak bisa dipakai bersama.'],
  goes_with: ['{label} must be used together with {other}.', '{label} harus dipakai bersama {other}.'],
  goes_only_with: ['{label} can only be used together with {other}.', '{label} hanya bisa dipakai bersama {other}.'],
  goes_without: ['{label} cannot be used with {one} or {two}.', '{label} tidak bisa dipakai bersama {one} atau {two}.'],
  given_with: ['{label} must be used together with {other}.', '{label} harus dipakai bersama {other}.'],
  both_for: ['{one} and {two} can only be used with {label}.', '{one} dan {two} hanya bisa dipakai bersama {label}.'],
  nothing: ['Nothing to change.', 'Tidak ada yang perlu diubah.'],
  no_change: ['Nothing to change: no option was given.', 'Tidak ada yang perlu diubah.'],
  repeat: ['It is not certain whether this was done: {error}', 'Belum pasti apakah ini sudah dilakukan: {error}'],
  end_first: ['{label}: must be before the end of the period.', '{label}: harus sebelum akhir periode.'],
  most_days: ['{label}: at most {most} days by {unit}.', '{label}: maksimal {most} hari per {unit}.'],
  at_most: ['{label}: at most {most}.', '{label}: maksimal {most}.'],
  no_pages: [
    '{label}: this search cannot be paged by number.',
    '{label}: hasil pencarian ini tidak bisa dibuka per nomor halaman.',
  ],
  counted: [
    '{label}: only the first {most} messages can be paged by number.',
    '{label}: hanya {most} pesan pertama yang bisa dibuka per nomor halaman.',
  ],
  not_after: ['{label} must not be after {other}.', '{label} tidak boleh sesudah {other}.'],
  passed: ['{label}: choose a time in the future.', '{label}: pilih waktu di masa depan.'],
  far: ['{label}: choose a time at most {most} days ahead.', '{label}: pilih waktu maksimal {most} hari ke depan.'],
  unwritable: ['{label}: {file} cannot be written: {error}', '{label}: {file} tidak bisa ditulis: {error}'],
  hour: ['hour', 'jam'],
  day: ['day', 'hari'],
  addresses: ['addresses', 'alamat'],
  store: ['{text}', '{text}'],

  // Roles.
  role: ['You need the role {role} for this.', 'Tindakan ini memerlukan peran {role}.'],
  role_installation: [
    'You need the role {role} of the installation for this.',
    'Tindakan ini memerlukan peran {role} instalasi.',
  ],
  operator: ['{label} requires the role operator of the installation.', '{label} memerlukan peran operator instalasi.'],
  give_role: [
    'Only a user with the role {role} can give it.',
    'Hanya pengguna dengan peran {role} yang bisa memberikannya.',
  ],
  installation_role: [
    'The role operator applies to the whole installation, not to a workspace.',
    'Peran operator berlaku untuk seluruh instalasi, bukan untuk satu ruang kerja.',
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
  no_user: ['{label}: there is no user {email}.', '{label}: tidak ada pengguna {email}.'],
  last_operator: ['{label}: {email} is the last administrator.', '{label}: {email} adalah administrator terakhir.'],
  not_vouched: [
    '{label}: the email address {email} is not verified yet, so the account may belong to someone else.',
    '{label}: alamat email {email} belum terverifikasi, jadi akun ini bisa saja milik orang lain.',
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
    '{label} hanya untuk domain transaksional: klik di email pemasaran selalu dilacak.',
  ],
  keys_changed: ['The keys of this domain have changed in the meantime.', 'Kunci domain ini sudah diubah.'],
  no_pending_key: [
    'This domain has no key that waits for its DNS record.',
    'Domain ini tidak punya kunci yang menunggu record DNS-nya.',
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
  warmed: [
    '{name} is already being warmed up with other settings.',
    '{name} sudah dalam pemanasan dengan pengaturan lain.',
  ],
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
  no_inbox: ['There is no sandbox inbox to show it in.', 'Tidak ada kotak masuk sandbox untuk menampilkannya.'],
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
    'Ruang kerja bisa menyimpan maksimal {count} gambar, total {size} MB.',
  ],
  image_used: [
    '{name} is used by {what} {id}. Emails that show it, including sent ones, would lose the image.',
    '{name} dipakai {what} {id}. Email yang memakainya, termasuk yang sudah terkirim, tidak akan menampilkan gambarnya.',
  ],

  // Contacts, files of contacts.
  unreadable: ['{name} cannot be read: {error}', '{name} tidak bisa dibaca: {error}'],
  of_file: ['{name}: {reason}', '{name}: {reason}'],
  map_twice: ['{label} names a field twice.', 'Satu bidang diisi dua kolom.'],
  map_same: ['{label} gives two fields the same column.', 'Dua bidang diisi kolom yang sama.'],
  one_confirmation: [
    'Without {consent}, this import sends 1 confirmation email, which costs 1 coin. The balance is {balance}.',
    'Tanpa {consent}, impor ini mengirim 1 email konfirmasi seharga 1 koin. Saldo: {balance}.',
  ],
  confirmations: [
    'Without {consent}, this import sends {mails} confirmation emails, which cost {coins} coins. The balance is {balance}.',
    'Tanpa {consent}, impor ini mengirim {mails} email konfirmasi seharga {coins} koin. Saldo: {balance}.',
  ],
  import_coins: [
    'Not enough coins: the import needs {needed}, and the balance is {balance}.',
    'Koin tidak cukup: impor ini memerlukan {needed}, dan saldonya {balance}.',
  ],

  // Messages and webhooks.
  mail_gone: ['{label}: the content of message {id} no longer exists.', '{label}: isi pesan {id} sudah tidak ada.'],
  not_own: [
    '{label}: message {id} was not sent by API or SMTP.',
    '{label}: pesan {id} tidak dikirim lewat API atau SMTP.',
  ],
  on_its_way: [
    '{label}: message {id} is {status} and has not reached its final status.',
    '{label}: pesan {id} berstatus {status} dan belum mencapai status akhir.',
  ],
  had_attachments: [
    '{label}: message {id} had attachments{count}, which have been deleted.',
    '{label}: pesan {id} punya lampiran{count}, yang sudah dihapus.',
  ],
  no_active_domain: [
    '{label}: {email} does not use an active sending domain.',
    '{label}: {email} tidak memakai domain pengirim yang aktif.',
  ],
  suppressed: ['{label}: {email} is suppressed.', '{label}: {email} ada di daftar blokir.'],
  unsubscribed: [
    '{label}: {email} has unsubscribed, bounced or complained.',
    '{label}: {email} berhenti berlangganan, terpental, atau melaporkan spam.',
  ],
  module_closed: ['The email module is off.', 'Modul email nonaktif.'],
  no_coin: ['Not enough coins to send an email.', 'Koin tidak cukup untuk mengirim email.'],
  mail_refused: ['The email was rejected: {because}.', 'Email ditolak: {because}.'],
  webhook_inactive: ['Webhook {id} is not active.', 'Webhook {id} tidak aktif.'],
  no_delivery: [
    '{label}: webhook {id} has no delivery "{delivery}".',
    '{label}: webhook {id} tidak punya pengiriman "{delivery}".',
  ],
  webhook_limit: ['A workspace can have at most {most} webhooks.', 'Ruang kerja bisa punya maksimal {most} webhook.'],
});
