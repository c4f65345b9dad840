import type { PageLanguage } from '../../../domain/opt-in';

/** The names of the fields of a public form. */
export type FormField = 'email' | 'name' | 'consent' | 'redirect';

/** What the pages of public forms and confirmations say in one language. */
export interface FormTexts {
  subscribeTo: (audience: string) => string;
  intro: (sender: string) => readonly [string, string];
  labels: { email: string; name: string; optional: string; trap: string; button: string };
  consent: (sender: string) => string;
  errors: { title: string } & Record<FormField, string>;
  thanks: { heading: string; single: string; double: string; spam: string };
  confirm: { heading: string; ask: readonly [string, string, string]; button: string };
  confirmed: { heading: string; text: readonly [string, string, string] };
  before: { heading: string };
  expired: { heading: string; text: string };
  notFound: { heading: string; text: string };
  notConfirmable: { heading: string; text: string };
  tooMany: { heading: string; text: string };
  unreadable: { heading: string; text: string };
  methodNotAllowed: { heading: string; text: string };
}

const indonesian: FormTexts = {
  subscribeTo: (audience) => `Berlangganan ${audience}`,
  intro: (sender) => ['Isi formulir ini untuk menerima email dari ', sender],
  labels: {
    email: 'Alamat email',
    name: 'Nama',
    optional: 'boleh dikosongkan',
    trap: 'Jangan isi kolom ini',
    button: 'Berlangganan',
  },
  consent: (sender) => `Saya setuju menerima email dari ${sender}. Saya dapat berhenti berlangganan kapan saja.`,
  errors: {
    title: 'Formulir belum dapat dikirim',
    email: 'Isi alamat email yang benar, misalnya nama@contoh.com.',
    name: 'Nama paling panjang 255 karakter.',
    consent: 'Centang kotak persetujuan untuk berlangganan.',
    redirect: 'Halaman tujuan setelah formulir ini tidak diizinkan. Silakan kirim sekali lagi tanpa halaman itu.',
  },
  thanks: {
    heading: 'Terima kasih',
    single: 'Langganan Anda sudah kami catat.',
    double: 'Satu langkah lagi: buka email yang kami kirim, lalu tekan tombol konfirmasi di dalamnya.',
    spam: 'Belum menerimanya? Periksa juga folder spam.',
  },
  confirm: {
    heading: 'Konfirmasi langganan',
    ask: ['Tekan tombol di bawah ini untuk menerima ', ' di ', '.'],
    button: 'Ya, saya mau berlangganan',
  },
  confirmed: {
    heading: 'Langganan Anda aktif',
    text: ['Terima kasih. Anda akan menerima ', ' di ', '.'],
  },
  before: { heading: 'Langganan Anda sudah aktif' },
  expired: {
    heading: 'Tautan sudah kedaluwarsa',
    text: 'Waktu untuk konfirmasi sudah habis. Isi formulirnya sekali lagi untuk menerima tautan baru.',
  },
  notFound: {
    heading: 'Formulir tidak ditemukan',
    text: 'Alamat formulir ini tidak lengkap atau sudah tidak berlaku.',
  },
  notConfirmable: {
    heading: 'Tautan tidak ditemukan',
    text: 'Tautan ini tidak lengkap. Silakan buka kembali tautannya langsung dari email yang Anda terima.',
  },
  tooMany: {
    heading: 'Terlalu banyak percobaan',
    text: 'Formulir ini terlalu sering dikirim. Silakan coba lagi satu menit lagi.',
  },
  unreadable: {
    heading: 'Formulir tidak terbaca',
    text: 'Kiriman ini bukan formulir yang kami kenal. Silakan kembali ke formulirnya, lalu coba lagi.',
  },
  methodNotAllowed: {
    heading: 'Permintaan tidak didukung',
    text: 'Silakan buka halaman ini di peramban Anda.',
  },
};

const english: FormTexts = {
  subscribeTo: (audience) => `Subscribe to ${audience}`,
  intro: (sender) => ['Fill in this form to get email from ', sender],
  labels: {
    email: 'Email address',
    name: 'Name',
    optional: 'optional',
    trap: 'Leave this field empty',
    button: 'Subscribe',
  },
  consent: (sender) => `I agree to get email from ${sender}. I can unsubscribe at any time.`,
  errors: {
    title: 'The form could not be sent yet',
    email: 'Enter a valid email address, such as name@example.com.',
    name: 'A name has at most 255 characters.',
    consent: 'Tick the box to agree.',
    redirect: 'The page to go to after this form is not allowed. Please send the form once more without it.',
  },
  thanks: {
    heading: 'Thank you',
    single: 'We have noted your subscription.',
    double: 'One more step: open the email that we send you, and press the button in it to confirm.',
    spam: 'Nothing there yet? Have a look in your spam folder too.',
  },
  confirm: {
    heading: 'Confirm your subscription',
    ask: ['Press the button below to get ', ' at ', '.'],
    button: 'Yes, subscribe me',
  },
  confirmed: {
    heading: 'Your subscription is active',
    text: ['Thank you. You will get ', ' at ', '.'],
  },
  before: { heading: 'Your subscription is active already' },
  expired: {
    heading: 'This link has expired',
    text: 'The time to confirm is over. Fill in the form once more to get a new link.',
  },
  notFound: {
    heading: 'Form not found',
    text: 'The address of this form is incomplete or no longer valid.',
  },
  notConfirmable: {
    heading: 'Link not found',
    text: 'This link is incomplete. Please open it again from the email that you got.',
  },
  tooMany: {
    heading: 'Too many attempts',
    text: 'This form was sent too often. Please try again in a minute.',
  },
  unreadable: {
    heading: 'The form cannot be read',
    text: 'This is not a form that we know. Please go back to the form and try again.',
  },
  methodNotAllowed: {
    heading: 'Request not supported',
    text: 'Please open this page in your browser.',
  },
};

/** The texts of public forms and confirmations by language. */
export const FORM_TEXTS: Readonly<Record<PageLanguage, FormTexts>> = { id: indonesian, en: english };
