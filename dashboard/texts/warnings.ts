/** What to look at in a mail before it is sent, in English and Indonesian, as in `SENTENCES`. */
export const WARNINGS: readonly (readonly [english: string, indonesian: string])[] = [
  [
    'There is no HTML yet: without it the campaign cannot be sent.',
    'Belum ada HTML: tanpa itu kampanye tidak bisa dikirim.',
  ],
  ['The subject is empty.', 'Subjeknya kosong.'],
  [
    'The subject has {n} characters: most mail programs show no more than {most}.',
    'Subjeknya {n} karakter: kebanyakan aplikasi email menampilkan paling banyak {most}.',
  ],
  [
    'There is no preheader: mail programs show the first words of the mail instead.',
    'Belum ada preheader: aplikasi email menampilkan kata-kata pertama email sebagai gantinya.',
  ],
  [
    'The preheader has {n} characters: most mail programs show no more than {most}.',
    'Preheader-nya {n} karakter: kebanyakan aplikasi email menampilkan paling banyak {most}.',
  ],
  [
    'The HTML has {size} kB: Gmail cuts off what is above {most} kB.',
    'HTML-nya {size} kB: Gmail memotong yang melebihi {most} kB.',
  ],
  [
    'The HTML has a script: no mail program runs it.',
    'HTML-nya berisi skrip: tidak ada aplikasi email yang menjalankannya.',
  ],
  [
    'There is no unsubscribe link: a footer with one is added.',
    'Tidak ada tautan berhenti berlangganan: footer yang memuatnya ditambahkan.',
  ],
  ['Links without a target: {n}. They lead nowhere.', 'Tautan tanpa tujuan: {n}. Tautan itu tidak menuju ke mana pun.'],
  [
    'Links with a script: {which}. No mail program follows them.',
    'Tautan dengan skrip: {which}. Tidak ada aplikasi email yang mengikutinya.',
  ],
  [
    'Relative links: {which}. They lead nowhere in a mail: write the whole address.',
    'Tautan relatif: {which}. Di email tautan itu tidak menuju ke mana pun: tulis alamat lengkapnya.',
  ],
  [
    'Links that are not encrypted (http): {which}. Use https where the site has it.',
    'Tautan tanpa enkripsi (http): {which}. Pakai https bila situsnya mendukung.',
  ],
  [
    'Links without double quotes around their address: {which}. Their clicks are not counted.',
    'Tautan tanpa tanda petik ganda pada alamatnya: {which}. Kliknya tidak dihitung.',
  ],
  [
    'Images without an address on the web: {which}. They do not show.',
    'Gambar tanpa alamat web: {which}. Gambar itu tidak tampil.',
  ],
  [
    'Images without a description (alt): {which}. Many readers see no images at first.',
    'Gambar tanpa keterangan (alt): {which}. Banyak pembaca awalnya tidak melihat gambar.',
  ],
  [
    'Unknown merge tags: {which}. They are sent as they are written.',
    'Merge tag yang tidak dikenal: {which}. Dikirim seperti tertulis.',
  ],
  ['{domain} is {status}: mails from it are refused.', '{domain} berstatus {status}: email darinya ditolak.'],
];
