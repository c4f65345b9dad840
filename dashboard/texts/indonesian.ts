import { ID as ADMIN_KEYS } from './admin-keys';
import { ID as BLOCKS } from './blocks';
import { ID as CAMPAIGNS } from './campaigns';
import type { ENGLISH } from './english';
import { ID as COINS } from './coins';
import { ID as ME } from './me';
import { ID as JOURNEY_EDITOR } from './journey-editor';
import { ID as JOURNEYS } from './journeys';
import { ID as HEALTH } from './health';
import { ID as INSTALLATION } from './installation';
import { ID as DOMAINS } from './domains';
import { ID as AUDIENCES } from './audiences';
import { ID as CONVERSIONS } from './conversions';
import { ID as IMPORTS } from './imports';
import { ID as CONTACTS } from './contacts';
import { ID as IMAGES } from './images';
import { ID as MESSAGES } from './messages';
import { ID as OVERVIEW } from './overview';
import { ID as SETTINGS } from './settings';
import { ID as SUPPRESSIONS } from './suppressions';
import { ID as USERS } from './users';
import { ID as TEMPLATES } from './templates';
import { ID as WEBHOOKS } from './webhooks';
import { ID as WORDS } from './words';

/** The texts of the dashboard in Indonesian, in the order of the English ones. */
export const INDONESIAN: Record<keyof typeof ENGLISH, string> = {
  locale: 'id-ID',
  sureTitle: 'Anda yakin?',
  sureGeneric: 'Tindakan ini tidak dapat dibatalkan.',
  sureYes: 'Lanjutkan',
  sureBack: 'Kembali',
  surePassword: 'Konfirmasi kata sandi Anda',
  skip: 'Langsung ke konten',
  language: 'Bahasa',
  signOut: 'Keluar',
  account: 'Akun Anda',
  menu: 'Menu',
  save: 'Simpan',
  cancel: 'Batal',
  search: 'Cari',
  next: 'Halaman berikutnya',
  previous: 'Halaman sebelumnya',
  none: 'Tidak ada',
  yes: 'ya',
  no: 'tidak',
  required: 'wajib',
  moreFilters: 'Filter lainnya',
  reset: 'Reset',
  all: 'Semua',
  more: 'Lainnya',
  back: 'Kembali',
  copy: 'Salin',
  downloadCsv: 'Ekspor CSV',
  actions: 'Tindakan',

  navOverview: 'Ringkasan',
  navMessages: 'Pesan',
  navCampaigns: 'Kampanye',
  navJourneys: 'Perjalanan',
  navContacts: 'Kontak',
  navAudiences: 'Audiens',
  navTemplates: 'Templat',
  navDomains: 'Domain',
  navWebhooks: 'Webhook',
  navSuppressions: 'Daftar blokir',
  navConversions: 'Penjualan',
  navCoins: 'Koin',
  navSettings: 'Pengaturan',
  navHealth: 'Kesehatan sistem',
  navWorkspaces: 'Ruang kerja',
  navQueues: 'Antrean',
  navBounces: 'Bounce',
  navUsers: 'Pengguna',
  navTrail: 'Log audit',
  navInstallation: 'Instalasi',
  navInbox: 'Kotak masuk',
  navHooks: 'Kotak masuk webhook',
  navDocs: 'Referensi API',

  errorTitle: 'Terjadi kesalahan',
  errorNotFound: 'Halaman ini tidak ada, atau Anda tidak punya akses.',
  errorForbidden:
    'Peran Anda tidak mengizinkan tindakan ini. Minta akses kepada administrator atau pemilik ruang kerja.',
  errorCsrf: 'Formulir ini sudah kedaluwarsa. Kembali, muat ulang halaman, lalu coba lagi.',
  errorTooLarge: 'Kiriman terlalu besar. Pilih file yang lebih kecil atau ringkas isinya.',
  errorServer:
    'Terjadi kesalahan di sistem kami. Jika Anda sedang menyimpan perubahan, periksa dulu sebelum mencoba lagi.',
  errorBusy: 'Layanan sedang tidak tersedia. Coba beberapa saat lagi.',

  signInTitle: 'Masuk',
  signInEmail: 'Alamat email',
  signInPassword: 'Kata sandi',
  signInButton: 'Masuk',
  signInRefused: 'Alamat email atau kata sandi salah.',
  signInWait: 'Terlalu banyak percobaan. Coba lagi dalam {seconds|# detik}.',
  signInForgot: 'Lupa kata sandi? Minta tautan reset kepada administrator Anda.',
  claimTitle: 'Selamat datang di Kurir',
  claimFirst: 'Buat akun administrator. Tautan ini hanya bisa dipakai sekali.',
  claimInvite: 'Anda diundang sebagai {email}.',
  claimReset: 'Buat kata sandi baru untuk {email}. Anda akan keluar dari semua perangkat.',
  claimKnown: 'Anda sudah punya akun. Masuk untuk menerima undangan.',
  claimAccept: 'Terima undangan',
  claimName: 'Nama Anda',
  claimPassword: 'Kata sandi (minimal 12 karakter)',
  claimRepeat: 'Konfirmasi kata sandi',
  claimDiffers: 'Kata sandi tidak cocok.',
  claimEmailFault: 'Masukkan alamat email.',
  claimButton: 'Lanjutkan',
  claimGone: 'Tautan ini sudah kedaluwarsa atau sudah dipakai. Minta tautan baru.',

  chooseTitle: 'Ruang kerja',
  chooseNone: 'Anda belum menjadi anggota ruang kerja mana pun. Minta administrator untuk menambahkan Anda.',

  ...ME,
  ...USERS,
  ...OVERVIEW,
  ...MESSAGES,
  ...TEMPLATES,
  ...DOMAINS,
  ...WEBHOOKS,
  ...SUPPRESSIONS,
  ...COINS,
  ...SETTINGS,
  ...CAMPAIGNS,
  ...BLOCKS,
  ...IMAGES,
  ...JOURNEYS,
  ...HEALTH,
  ...INSTALLATION,
  ...CONTACTS,
  ...IMPORTS,
  ...JOURNEY_EDITOR,
  ...ADMIN_KEYS,
  ...AUDIENCES,
  ...CONVERSIONS,
  ...WORDS,
};
