import { reasonsOf } from '../../lib/reason';

/** What reasons name. */
export const noun = reasonsOf({
  audience: ['audience', 'audiens'],
  campaign: ['campaign', 'kampanye'],
  contact: ['contact', 'kontak'],
  conversion: ['conversion', 'penjualan'],
  image: ['image', 'gambar'],
  journey: ['journey', 'perjalanan'],
  key: ['key', 'kunci'],
  message: ['message', 'pesan'],
  own_domain: ['sending domain of the workspace', 'domain pengirim ruang kerja'],
  sending_domain: ['sending domain', 'domain pengirim'],
  smtp_login: ['SMTP login', 'login SMTP'],
  template: ['template', 'templat'],
  webhook: ['webhook', 'webhook'],
  workspace: ['workspace', 'ruang kerja'],
});
