import type { RecipientTexts } from './texts';

export const indonesian: RecipientTexts = {
  forms: {
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
      title: 'Periksa kembali formulir ini',
      email: 'Isi alamat email yang benar, misalnya nama@contoh.com.',
      name: 'Isi nama maksimal 255 karakter.',
      consent: 'Centang kotak persetujuan untuk berlangganan.',
      redirect: 'Formulir ini mengarah ke halaman yang tidak diizinkan. Silakan kirim lagi tanpa pengalihan itu.',
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
    before: { heading: 'Anda sudah berlangganan' },
    expired: {
      heading: 'Tautan sudah kedaluwarsa',
      text: 'Tautan konfirmasi berlaku 14 hari. Isi formulir sekali lagi untuk menerima tautan baru.',
    },
    notFound: {
      heading: 'Formulir tidak ditemukan',
      text: 'Tautan formulir ini tidak lengkap atau sudah tidak berlaku.',
    },
    notConfirmable: {
      heading: 'Tautan tidak ditemukan',
      text: 'Tautan ini tidak lengkap. Silakan buka kembali dari email yang Anda terima.',
    },
    tooMany: {
      heading: 'Terlalu banyak percobaan',
      text: 'Formulir ini terlalu sering dikirim. Silakan coba lagi dalam satu menit.',
    },
    tooManyToday: {
      heading: 'Terlalu banyak percobaan',
      text: 'Formulir ini terlalu sering dikirim dari jaringan Anda hari ini. Silakan coba lagi besok.',
    },
    unreadable: {
      heading: 'Terjadi kesalahan',
      text: 'Kiriman Anda tidak terbaca. Silakan kembali ke formulir, lalu coba lagi.',
    },
    methodNotAllowed: {
      heading: 'Permintaan tidak didukung',
      text: 'Silakan buka halaman ini di browser Anda.',
    },
  },
  pages: {
    sender: 'Pengirim',
    you: 'Anda',
    unsubscribeButton: 'Berhenti berlangganan',
    notFound: {
      heading: 'Tautan tidak ditemukan',
      paragraphs: [
        'Tautan ini tidak lengkap atau sudah tidak berlaku. Silakan buka kembali dari email yang Anda terima.',
      ],
    },
    hiddenLink: {
      heading: 'Halaman tidak ditemukan',
      paragraphs: [
        'Tautan ini tidak menuju ke halaman mana pun. Silakan gunakan tautan lain di email yang Anda terima.',
      ],
    },
    products: {
      heading: 'Email Marketing',
      paragraphs: [
        'Modul Email Marketing belum aktif untuk ruang kerja Anda, sehingga permintaan API ditolak.',
        'Administrator Anda dapat mengaktifkannya dengan perintah {command}. Setelah itu, ulangi permintaannya.',
      ],
    },
    methodNotAllowed: {
      heading: 'Permintaan tidak didukung',
      paragraphs: ['Silakan buka tautan dari email yang Anda terima.'],
    },
    tooLarge: {
      heading: 'Permintaan terlalu besar',
      paragraphs: ['Silakan buka kembali tautan dari email yang Anda terima, lalu coba lagi.'],
    },
    unreadable: {
      heading: 'Terjadi kesalahan',
      paragraphs: ['Silakan buka kembali tautan dari email yang Anda terima, lalu coba lagi.'],
    },
    tryAgain: {
      heading: 'Terjadi kesalahan',
      paragraphs: ['Permintaan Anda belum dapat diproses. Silakan coba lagi beberapa saat lagi.'],
    },
    askToUnsubscribe: {
      heading: 'Berhenti berlangganan?',
      paragraphs: ['Tekan tombol di bawah ini agar {sender} berhenti mengirim email ke {address}.'],
    },
    alreadyUnsubscribed: {
      heading: 'Anda sudah tidak berlangganan',
      paragraphs: ['{sender} tidak lagi mengirim email ke {address}.', 'Anda tidak perlu melakukan apa pun.'],
    },
    contactGone: {
      heading: 'Data Anda sudah dihapus',
      paragraphs: [
        '{sender} sudah tidak menyimpan alamat yang menerima email ini. Anda tidak perlu melakukan apa pun.',
      ],
    },
    unsubscribed: {
      heading: 'Anda sudah berhenti berlangganan',
      paragraphs: [
        '{sender} tidak akan lagi mengirim email ke {address}.',
        'Email yang sudah telanjur dikirim mungkin masih Anda terima.',
      ],
    },
    unsubscribedUnnamed: {
      heading: 'Anda sudah berhenti berlangganan',
      paragraphs: ['Permintaan Anda sudah kami catat.', 'Email yang sudah telanjur dikirim mungkin masih Anda terima.'],
    },
  },
  confirmation: {
    subject: (audience) => `Konfirmasi langganan Anda: ${audience}`,
    ask: (audience, sender, press) =>
      `Alamat email ini didaftarkan untuk menerima ${audience} dari ${sender}. ${press} di bawah ini untuk konfirmasi.`,
    press: { html: 'Tekan tombol', text: 'Buka tautan' },
    button: 'Konfirmasi langganan',
    until: 'Tautan ini berlaku 14 hari.',
    ignore: 'Tidak merasa mendaftar? Abaikan email ini; Anda tidak akan berlangganan.',
  },
  invitation: {
    subject: (place) => `Anda diundang ke ${place}`,
    ask: (place, press) =>
      `Anda diundang bergabung dengan ${place} di Kurir. ${press} di bawah ini untuk menerima undangan.`,
    press: { html: 'Tekan tombol', text: 'Buka tautan' },
    button: 'Terima undangan',
    until: 'Tautan ini hanya bisa dipakai sekali dan kedaluwarsa setelah 7 hari.',
    ignore: 'Jangan teruskan email ini kepada siapa pun. Tidak merasa diundang? Abaikan email ini.',
  },
  reset: {
    subject: (place) => `Buat kata sandi baru untuk ${place}`,
    ask: (place, press) =>
      `Administrator telah mereset kata sandi Anda untuk ${place}. ${press} di bawah ini untuk membuat yang baru.`,
    press: { html: 'Tekan tombol', text: 'Buka tautan' },
    button: 'Buat kata sandi baru',
    until: 'Tautan ini hanya bisa dipakai sekali dan kedaluwarsa setelah 24 jam.',
    ignore: 'Jangan teruskan email ini kepada siapa pun. Tidak memintanya? Hubungi administrator Anda.',
  },
  footer: { unsubscribe: 'Berhenti berlangganan' },
};
