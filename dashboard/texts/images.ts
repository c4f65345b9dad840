/** The texts of the images for mails. */
export const EN = {
  imagesTitle: 'Images',
  imagesAbout: 'Images for your emails. Copy a URL into HTML, or choose an image in a block of the editor.',
  imagesNone: 'No images yet.',
  imagesFile: 'Image file',
  imagesHelp: 'PNG, JPEG, GIF or WebP, up to 2 MB. Outlook does not show WebP.',
  imagesAdd: 'Upload',
  imagesAdded: 'Image uploaded.',
  imagesNoFile: 'Choose a file.',
  imagesName: 'Name',
  imagesSize: 'Size',
  imagesUrl: 'URL',
  imagesCreated: 'Uploaded',
  imagesDelete: 'Delete',
  imagesDeleteSure: 'Delete {name}? Emails that use it, including ones already sent, will show its alt text.',
  imagesDeleteForce: 'Delete anyway',
  imagesDeleted: 'Image deleted.',
  imagesUsed:
    'A campaign, template or journey uses this image. If you delete it, emails that use it, including ones already sent, will not show it.',
  imagesUpload: 'Upload: {block}',
} as const;

/** The same in Indonesian. */
export const ID: Record<keyof typeof EN, string> = {
  imagesTitle: 'Gambar',
  imagesAbout: 'Gambar untuk email Anda. Salin URL ke HTML, atau pilih gambar di blok editor.',
  imagesNone: 'Belum ada gambar.',
  imagesFile: 'File gambar',
  imagesHelp: 'PNG, JPEG, GIF, atau WebP, maksimal 2 MB. Outlook tidak menampilkan WebP.',
  imagesAdd: 'Unggah',
  imagesAdded: 'Gambar diunggah.',
  imagesNoFile: 'Pilih file.',
  imagesName: 'Nama',
  imagesSize: 'Ukuran',
  imagesUrl: 'URL',
  imagesCreated: 'Diunggah',
  imagesDelete: 'Hapus',
  imagesDeleteSure:
    'Hapus {name}? Email yang memakainya, termasuk yang sudah terkirim, akan menampilkan teks alternatifnya.',
  imagesDeleteForce: 'Tetap hapus',
  imagesDeleted: 'Gambar dihapus.',
  imagesUsed:
    'Gambar ini dipakai kampanye, templat, atau perjalanan. Jika dihapus, email yang memakainya, termasuk yang sudah terkirim, tidak akan menampilkannya.',
  imagesUpload: 'Unggah: {block}',
};
