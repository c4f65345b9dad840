/** The texts of the images for mails. */
export const EN = {
  imagesTitle: 'Images',
  imagesAbout: 'Images that your mails show. Copy the address into HTML, or choose the image in a block of the editor.',
  imagesNone: 'No images yet.',
  imagesFile: 'Image file',
  imagesHelp: 'PNG, JPEG, GIF or WebP of at most 2 MB. Outlook shows no WebP.',
  imagesAdd: 'Upload',
  imagesAdded: 'The image is kept.',
  imagesNoFile: 'Choose a file first.',
  imagesName: 'Name',
  imagesSize: 'Size',
  imagesUrl: 'Address',
  imagesCreated: 'Uploaded',
  imagesDelete: 'Delete',
  imagesDeleteSure: 'Delete {name}? Mails that show it, those that were sent too, show its text in its place.',
  imagesDeleteForce: 'Delete all the same',
  imagesDeleted: 'The image is deleted.',
  imagesUsed:
    'A campaign, template or journey uses this image. Its mails, those that were sent too, would not show it.',
  imagesUpload: 'Upload: {block}',
} as const;

/** The same in Indonesian. */
export const ID: Record<keyof typeof EN, string> = {
  imagesTitle: 'Gambar',
  imagesAbout: 'Gambar yang tampil di email Anda. Salin alamatnya ke HTML, atau pilih gambarnya di blok editor.',
  imagesNone: 'Belum ada gambar.',
  imagesFile: 'Berkas gambar',
  imagesHelp: 'PNG, JPEG, GIF, atau WebP, paling besar 2 MB. Outlook tidak menampilkan WebP.',
  imagesAdd: 'Unggah',
  imagesAdded: 'Gambar disimpan.',
  imagesNoFile: 'Pilih berkas dulu.',
  imagesName: 'Nama',
  imagesSize: 'Ukuran',
  imagesUrl: 'Alamat',
  imagesCreated: 'Diunggah',
  imagesDelete: 'Hapus',
  imagesDeleteSure:
    'Hapus {name}? Email yang memuatnya, juga yang sudah terkirim, menampilkan teksnya sebagai gantinya.',
  imagesDeleteForce: 'Tetap hapus',
  imagesDeleted: 'Gambar dihapus.',
  imagesUsed:
    'Gambar ini dipakai kampanye, templat, atau perjalanan. Email-nya, juga yang sudah terkirim, tidak akan menampilkannya.',
  imagesUpload: 'Unggah: {block}',
};
