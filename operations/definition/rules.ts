import { reasonsOf } from '../../lib/reason';

/** What the value of an argument, an option or a file must be. */
export const rule = reasonsOf({
  empty: ['must not be empty', 'tidak boleh kosong'],
  long: ['must have at most {max} characters', 'maksimal {max} karakter'],
  controls: [
    'must not contain control characters or line feeds',
    'tidak boleh berisi karakter kontrol atau baris baru',
  ],
  whole: ['must be a whole number from {min} to {max}', 'harus berupa bilangan bulat dari {min} sampai {max}'],
  whole_or: [
    'must be a whole number from {min} to {max}, or {word}',
    'harus berupa bilangan bulat dari {min} sampai {max}, atau {word}',
  ],
  one_of: ['must be one of {allowed}', 'harus salah satu dari {allowed}'],
  some_of: ['must be names from {allowed}', 'harus berupa nama dari {allowed}'],
  time: [
    'must be an ISO 8601 time such as 2026-01-05T10:00:00Z',
    'harus berupa waktu ISO 8601 seperti 2026-01-05T10:00:00Z',
  ],
  zone: [
    'must end with its time zone: Z for UTC, or an offset such as +07:00',
    'harus diakhiri zona waktunya: Z untuk UTC, atau selisih seperti +07:00',
  ],
  moment: [
    'must be an ISO 8601 time or date such as 2026-01-05T10:00:00Z or 2026-01-05',
    'harus berupa waktu atau tanggal ISO 8601 seperti 2026-01-05T10:00:00Z atau 2026-01-05',
  ],
  last_day: [
    'must be a duration such as 90d, or a last day such as 2027-01-31 (WIB)',
    'harus berupa lama waktu seperti 90d, atau hari terakhir seperti 2027-01-31 (WIB)',
  ],
  ascii_address: [
    'must be an email address with only ASCII characters before the @',
    'harus berupa alamat email dengan hanya karakter ASCII sebelum @',
  ],
  address: ['must be an email address', 'harus berupa alamat email'],
  recipient: [
    'must be an email address, @ and a domain, or the id of a contact',
    'harus berupa alamat email, @ dan domain, atau id sebuah kontak',
  ],
  uuid: ['must be a UUID', 'harus berupa UUID'],
  message_uuid: ['must be the id of a message, a UUID', 'harus berupa id sebuah pesan, yaitu UUID'],
  message_id: ['must be the id of a message', 'harus berupa id sebuah pesan'],
  delivery_id: ['must be the id of a delivery, whd_ and 32 digits', 'harus berupa id pengiriman, whd_ dan 32 digit'],
  no_number: [
    'must not be a number: workspaces are also given by id',
    'tidak boleh berupa angka: ruang kerja juga bisa disebut dengan id',
  ],
  task: ['must be a kind and an id: kind/id', 'harus berupa jenis dan id: jenis/id'],
  kind: ['must be a kind of due work', 'harus berupa jenis tugas'],
  domain: ['must be a domain name such as example.com', 'harus berupa nama domain seperti example.com'],
  mechanisms: [
    'must be SPF mechanisms, such as "ip4:203.0.113.7 include:spf.relay.example"',
    'harus berupa mekanisme SPF, seperti "ip4:203.0.113.7 include:spf.relay.example"',
  ],
  ip: [
    'must be an IP address, with or without a port: 1.1.1.1, 127.0.0.1:5353, [::1]:5353',
    'harus berupa alamat IP, dengan atau tanpa port: 1.1.1.1, 127.0.0.1:5353, [::1]:5353',
  ],
  hosts: [
    'must be host names separated by commas, such as toko.example,www.toko.example, or none',
    'harus berupa nama host yang dipisah koma, seperti toko.example,www.toko.example, atau none',
  ],
  destination: [
    'must be a name from kurir destination list, in lower case, or a domain',
    'harus berupa nama dari kurir destination list, dengan huruf kecil, atau sebuah domain',
  ],
  assignment: ['must be name=value', 'harus berupa name=value'],
  metadata: [
    'must be a key and its value, such as order_id=1042',
    'harus berupa kunci dan nilainya, seperti order_id=1042',
  ],
  column: [
    'must be <field>=<column>, with a field of {fields}',
    'harus berupa <field>=<column>, dengan salah satu bidang {fields}',
  ],
  variables: [
    'must be a list such as order_no:string,total:number; types: {types}',
    'harus berupa daftar seperti order_no:string,total:number; tipe: {types}',
  ],
  cursor: ['must be next_after of the previous page', 'harus berupa next_after dari halaman sebelumnya'],
  longer: ['must be longer than zero', 'harus lebih dari nol'],
  at_most: ['must be at most {most} (ten years)', 'maksimal {most} (sepuluh tahun)'],
  a_list: ['must be a list', 'harus berupa daftar'],
  a_boolean: ['must be true or false', 'harus true atau false'],
  a_text: ['must be text', 'harus berupa teks'],
  a_file: ['must be the text of the file', 'harus berupa isi file'],
  base64: ['must be the bytes of the file in base64', 'harus berupa isi file dalam base64'],
  future: ['must be in the future', 'harus di masa depan'],
  // Files.
  blank: ['is empty', 'kosong'],
  long_file: ['has more than {max} characters', 'lebih dari {max} karakter'],
  many_mb: ['has more than {size} MB', 'lebih dari {size} MB'],
  not_utf8: ['is not UTF-8: save it as UTF-8', 'tidak dalam UTF-8: simpan sebagai UTF-8'],
  not_json: ['is not JSON', 'bukan JSON'],
  unreadable: ['cannot be read: {why}', 'tidak bisa dibaca: {why}'],
  pixels: [
    'has {width} x {height} pixels; the maximum is {most} per side',
    'berukuran {width} x {height} piksel; maksimal {most} per sisi',
  ],
});
