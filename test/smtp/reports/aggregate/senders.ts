import { gzipSync, deflateRawSync, crc32 } from 'node:zlib';

/** One row of a report: source, mails, what DMARC said of DKIM and SPF, and what was done. */
export interface Row {
  ip: string;
  count: number;
  dkim?: 'pass' | 'fail';
  spf?: 'pass' | 'fail';
  disposition?: 'none' | 'quarantine' | 'reject';
  from?: string;
}

export const DOMAIN = 'demo.kurir.test';
/** 2026-01-04, UTC. */
export const BEGIN = 1_767_484_800;

const metadata = (org: string, id: string, more = ''): string =>
  `<report_metadata><org_name>${org}</org_name><email>noreply@${org}</email>${more}<report_id>${id}</report_id>` +
  `<date_range><begin>${BEGIN}</begin><end>${BEGIN + 86_399}</end></date_range></report_metadata>`;

const policy = (more = ''): string =>
  `<policy_published><domain>${DOMAIN}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><sp>none</sp><pct>100</pct>${more}</policy_published>`;

/** The record of a row; `more` goes into the row, `auth` into the results. */
export const record = (
  { ip, count, dkim = 'pass', spf = 'pass', disposition = 'none', from = DOMAIN }: Row,
  { more = '', identifiers = '', auth = `<spf><domain>bounce.${from}</domain><result>${spf}</result></spf>` } = {},
): string =>
  `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>${disposition}` +
  `</disposition><dkim>${dkim}</dkim><spf>${spf}</spf>${more}</policy_evaluated></row><identifiers>${identifiers}` +
  `<header_from>${from}</header_from></identifiers><auth_results><dkim><domain>${from}</domain>` +
  `<selector>kurir</selector><result>${dkim}</result></dkim>${auth}</auth_results></record>`;

const XML = '<?xml version="1.0" encoding="UTF-8" ?>';

export const report = (
  org: string,
  id: string,
  records: string,
  { root = '<feedback>', meta = '', pol = '' } = {},
): string => `${XML}\n${root}\n${metadata(org, id, meta)}${policy(pol)}${records}</feedback>\n`;

/** A zip archive of one file. */
export function zipOf(name: string, content: string | Buffer, { stored = false, encrypted = false } = {}): Buffer {
  const bytes = Buffer.from(content);
  const data = stored ? bytes : deflateRawSync(bytes);
  const both = Buffer.alloc(26);
  both.writeUInt16LE(20, 0);
  both.writeUInt16LE(encrypted ? 1 : 0, 2);
  both.writeUInt16LE(stored ? 0 : 8, 4);
  both.writeUInt32LE(crc32(bytes), 10);
  both.writeUInt32LE(data.length, 14);
  both.writeUInt32LE(bytes.length, 18);
  both.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), both, Buffer.from(name), data]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), both, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

const lines = (bytes: Buffer): string => bytes.toString('base64').replace(/(.{76})/g, '$1\r\n');

const attached = (type: string, name: string, bytes: Buffer): string =>
  `Content-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n` +
  `Content-Transfer-Encoding: base64\r\n\r\n${lines(bytes)}\r\n`;

/** A mail that has nothing but the attachment, as Google, Yahoo and Mail.ru write it. */
export const bare = (type: string, name: string, bytes: Buffer): Buffer =>
  Buffer.from(
    `From: noreply@receiver.example\r\nTo: dmarc@bounce.${DOMAIN}\r\nSubject: Report Domain: ${DOMAIN}\r\nMIME-Version: 1.0\r\n${attached(type, name, bytes)}`,
  );

/** A mail with words beside it, as Microsoft, Fastmail and Comcast write it. */
export const withText = (type: string, name: string, bytes: Buffer): Buffer =>
  Buffer.from(
    `From: dmarcreport@receiver.example\r\nTo: dmarc@bounce.${DOMAIN}\r\nSubject: Report Domain: ${DOMAIN}\r\n` +
      'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="B"\r\n\r\n--B\r\nContent-Type: text/plain\r\n\r\n' +
      `This is a DMARC aggregate report.\r\n\r\n--B\r\n${attached(type, name, bytes)}\r\n--B--\r\n`,
  );

const ROWS: readonly Row[] = [
  { ip: '192.0.2.10', count: 120 },
  { ip: '192.0.2.10', count: 3, dkim: 'fail' },
  { ip: '198.51.100.7', count: 9, dkim: 'fail', spf: 'fail', disposition: 'quarantine' },
  { ip: '2001:db8::25', count: 2, dkim: 'fail', spf: 'fail', disposition: 'reject' },
];
const rows = (form: Parameters<typeof record>[1] = {}): string => ROWS.map((row) => record(row, form)).join('\n');
const xml = (org: string, id: string, form: Parameters<typeof record>[1] = {}, of: Parameters<typeof report>[3] = {}) =>
  Buffer.from(report(org, id, rows(form), of));

/** Reports in the shape of ten receivers, after what they publish: how they pack, name and write them. */
export const SENDERS: readonly (readonly [org: string, mail: Buffer])[] = [
  [
    'google.com',
    bare(
      'application/zip',
      `google.com!${DOMAIN}!1!2.zip`,
      zipOf(
        'g.xml',
        xml(
          'google.com',
          '1234567890123456789',
          {},
          {
            meta: '<extra_contact_info>https://support.google.com/a/answer/2466580</extra_contact_info>',
            pol: '<np>none</np>',
          },
        ),
      ),
    ),
  ],
  [
    'Outlook.com',
    withText(
      'application/gzip',
      `protection.outlook.com!${DOMAIN}!1!2.xml.gz`,
      gzipSync(
        xml(
          'Outlook.com',
          'a1b2c3',
          {
            identifiers: '<envelope_to>outlook.com</envelope_to><envelope_from>bounce.demo.kurir.test</envelope_from>',
          },
          {
            root: '<feedback xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n<version>1.0</version>',
            pol: '<fo>0</fo>',
          },
        ),
      ),
    ),
  ],
  ['Yahoo', bare('application/gzip', `yahoo.com!${DOMAIN}!1!2.xml.gz`, gzipSync(xml('Yahoo', '1767500000.12345')))],
  ['AOL', bare('application/x-gzip', `aol.com!${DOMAIN}!1!2.xml.gz`, gzipSync(xml('AOL', `${DOMAIN}_1767484800`)))],
  [
    'Mail.Ru',
    bare(
      'application/octet-stream',
      `mail.ru!${DOMAIN}!1!2.xml.gz`,
      gzipSync(xml('Mail.Ru', '39471234', { more: '<reason><type>forwarded</type><comment></comment></reason>' })),
    ),
  ],
  [
    'comcast.net',
    withText(
      'application/gzip',
      `comcast.net!${DOMAIN}!1!2.xml.gz`,
      gzipSync(
        xml('comcast.net', 'uuid-1', {
          auth: '<spf><domain>x.test</domain><scope>mfrom</scope><result>pass</result></spf>',
        }),
      ),
    ),
  ],
  [
    'Fastmail Pty Ltd',
    withText(
      'application/gzip',
      `fastmail.com!${DOMAIN}!1!2.xml.gz`,
      gzipSync(xml('Fastmail Pty Ltd', '7.8', {}, { root: '<feedback>\n<version>0.1</version>' })),
    ),
  ],
  ['GMX', withText('application/x-zip-compressed', 'r.zip', zipOf('r.xml', xml('GMX', 'g-1'), { stored: true }))],
  ['Seznam.cz a.s.', bare('text/xml', 'r.xml', xml('Seznam.cz a.s.', 's-1'))],
  // The namespace of RFC 9990, with a prefix.
  [
    'mimecast.org',
    withText(
      'application/zip',
      'r.zip',
      zipOf(
        'r.xml',
        xml('mimecast.org', 'm-1')
          .toString()
          .replaceAll(/<(\/?)(?=[a-z])/g, '<$1d:')
          .replace('<d:feedback>', '<d:feedback xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0">'),
      ),
    ),
  ],
];
