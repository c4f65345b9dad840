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
  appName: 'Kurir',
  sureTitle: 'Anda yakin?',
  sureGeneric: 'Tindakan ini tidak bisa dibatalkan.',
  sureYes: 'Ya, lanjutkan',
  sureBack: 'Kembali',
  surePassword: 'Kata sandi Anda sekali lagi',
  skip: 'Lewati ke isi',
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
  reset: 'Atur ulang',
  all: 'Semua',
  more: 'Lainnya',
  back: 'Kembali',
  copy: 'Salin',
  downloadCsv: 'Unduh sebagai CSV',
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
  navConversions: 'Konversi',
  navCoins: 'Koin',
  navSettings: 'Pengaturan',
  navHealth: 'Kesehatan',
  navWorkspaces: 'Ruang kerja',
  navQueues: 'Antrean',
  navBounces: 'Email terpental',
  navUsers: 'Pengguna',
  navTrail: 'Jejak',
  navInstallation: 'Instalasi',
  navInbox: 'Kotak masuk',
  navHooks: 'Hook',
  navDocs: 'API',

  errorTitle: 'Tidak berhasil',
  errorNotFound: 'Halaman ini tidak ada, atau bukan untuk Anda.',
  errorForbidden: 'Peran Anda tidak mengizinkan ini.',
  errorCsrf: 'Formulir terlalu lama, atau datang dari situs lain. Kembali, muat ulang halaman, lalu kirim lagi.',
  errorTooLarge: 'Itu terlalu besar. Sebuah berkas paling besar 10 MB.',
  errorServer: 'Ada yang salah di pihak kami. Tidak ada yang setengah jadi. Coba lagi.',
  errorBusy: 'Layanan sedang tidak bisa menjawab. Coba lagi sebentar lagi.',

  signInTitle: 'Masuk',
  signInEmail: 'Alamat email',
  signInPassword: 'Kata sandi',
  signInButton: 'Masuk',
  signInRefused: 'Alamat atau kata sandi salah.',
  signInWait: 'Terlalu banyak percobaan. Coba lagi dalam {seconds} detik.',
  signInForgot: 'Belum punya atau lupa kata sandi? Minta tautan kepada pengelola layanan: kurir user reset <alamat>',
  claimTitle: 'Selamat datang di Kurir',
  claimFirst: 'Tautan ini menjadikan Anda operator pertama instalasi ini. Hanya berlaku sekali.',
  claimInvite: 'Anda diundang sebagai {email}.',
  claimReset: 'Pilih kata sandi baru untuk {email}. Semua sesi lama akan berakhir.',
  claimKnown: 'Undangan ini untuk akun yang sudah ada: masuk dengan akun itu untuk menerimanya.',
  claimAccept: 'Terima',
  claimName: 'Nama Anda',
  claimPassword: 'Kata sandi, sedikitnya 12 karakter',
  claimRepeat: 'Kata sandi sekali lagi',
  claimDiffers: 'Kedua kata sandi berbeda.',
  claimEmailFault: 'Isi alamat email.',
  claimButton: 'Lanjut',
  claimGone: 'Tautan ini sudah dipakai atau kedaluwarsa. Minta yang baru.',

  chooseTitle: 'Ruang kerja',
  chooseNone: 'Anda belum tergabung dalam ruang kerja mana pun. Hubungi pengelola layanan.',

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
