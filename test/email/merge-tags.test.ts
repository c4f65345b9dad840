import { describe, expect, it } from '@jest/globals';
import { findMergeTags, mergeRaw } from '../../email/merge-tags';
import { mergeValues } from '../../email/merge-values';
import { TEST_START } from '../support/clock';

const FACTS = {
  to: 'budi@example.com',
  contactName: 'Budi  Santoso',
  business: { name: 'Toko Kita', address: 'Jl. Sudirman 1' },
  unsubscribeUrl: 'https://t.kurir.test/u/1',
  browserUrl: null as string | null,
  preheader: null as string | null,
  subject: 'Halo {{nama_depan}}',
  now: TEST_START,
};
const merge = (template: string, change: Partial<typeof FACTS> | { contactName: null } = {}): string =>
  mergeRaw(template, mergeValues({ ...FACTS, ...change }));

describe('merge tags', () => {
  // spec: docs/contract.md#merge-tags: merge tags: every tag and alias
  it.each([
    ['email', 'budi@example.com'],
    ['nama', 'Budi  Santoso'],
    ['name', 'Budi  Santoso'],
    ['nama_depan', 'Budi'],
    ['first_name', 'Budi'],
    ['bisnis', 'Toko Kita'],
    ['nama_bisnis', 'Toko Kita'],
    ['perusahaan', 'Toko Kita'],
    ['company', 'Toko Kita'],
    ['alamat_bisnis', 'Jl. Sudirman 1'],
    ['alamat_perusahaan', 'Jl. Sudirman 1'],
    ['unsubscribe_url', 'https://t.kurir.test/u/1'],
    ['link_berhenti_langganan', 'https://t.kurir.test/u/1'],
    ['link_unsubscribe', 'https://t.kurir.test/u/1'],
    ['tahun', '2026'],
    ['judul_email', 'Halo Budi'],
    ['subjek', 'Halo Budi'],
    ['link_browser', ''],
    ['versi_web', ''],
    ['preheader', ''],
  ])('%s stands for %j', (tag, value) => {
    expect(merge(`<{{${tag}}}>`)).toBe(`<${value}>`);
  });

  // spec: docs/contract.md#merge-tags: merge tags: those of campaigns
  it.each([
    ['link_browser', 'https://t.kurir.test/m/1'],
    ['versi_web', 'https://t.kurir.test/m/1'],
    ['preheader', 'Hanya hari ini, Budi'],
  ])('in mail of a campaign, %s stands for %j', (tag, value) => {
    const campaign = {
      browserUrl: 'https://t.kurir.test/m/1',
      preheader: ' Hanya hari ini, {{nama_depan}}{{preheader}}\n',
    };
    expect(merge(`<{{${tag}}}>`, campaign)).toBe(`<${value}>`);
    expect(merge('{{subjek}}', { ...campaign, subject: 'Promo{{preheader}}' })).toBe('Promo');
    expect(merge('{{preheader}}', { ...campaign, preheader: '{{subjek}}' })).toBe('Halo Budi');
  });

  // spec: docs/contract.md#merge-tags: merge tags: fallback when the data is empty
  it('a fallback is used when the data is empty, and only then', () => {
    expect(merge('{{nama|Sobat}}', { contactName: null })).toBe('Sobat');
    expect(merge('{{nama|Sobat}}', { contactName: '  ' })).toBe('Sobat');
    expect(merge('{{nama|Sobat}}')).toBe('Budi  Santoso');
    expect(merge('{{preheader| Baca di sini }}')).toBe('Baca di sini');
    expect(merge('{{nama|}}', { contactName: null })).toBe('');
  });

  // spec: docs/contract.md#merge-tags: merge tags: case-insensitive
  it('names are case-insensitive and may have spaces around them', () => {
    expect(merge('{{NAMA_Depan}} {{ email }} {{ Nama | x }}')).toBe('Budi budi@example.com Budi  Santoso');
  });

  // spec: docs/contract.md#merge-tags: merge tags: unknown tags are left as written
  it.each([
    '{{unknown}}',
    '{{unknown|Fallback}}',
    '{{ nama',
    '{nama}',
    '{{}}',
    '{{na ma}}',
    '{{constructor}}',
    '{{__proto__}}',
    '{{toString}}',
  ])('what is no known tag is left as written: %s', (text) => expect(merge(text)).toBe(text));

  it('a value that looks like a tag is not filled again', () => {
    expect(merge('{{nama}}', { contactName: '{{email}}' })).toBe('{{email}}');
    expect(merge('{{nama|{{email}}}}', { contactName: null })).toBe('{{nama|budi@example.com}}');
  });

  it('the subject inside the subject is empty', () => {
    expect(merge('{{subjek}}', { subject: 'A{{subjek}}B{{judul_email|C}}' })).toBe('ABC');
  });

  // spec: docs/contract.md#merge-tags: merge tag tahun: current year (WIB)
  it('the year is that of Western Indonesia', () => {
    expect(merge('{{tahun}}', { now: Date.UTC(2026, 11, 31, 16, 59, 59) })).toBe('2026');
    expect(merge('{{tahun}}', { now: Date.UTC(2026, 11, 31, 17) })).toBe('2027');
  });

  it('values come on one line, without control characters', () => {
    expect(merge('{{nama}}', { contactName: 'Budi\r\nBcc: all@example.com\0\u0085x' })).toBe(
      'Budi Bcc: all@example.com x',
    );
    expect(merge('{{alamat_bisnis}}', { business: { name: '', address: 'Jl. Sudirman 1\nJakarta' } })).toBe(
      'Jl. Sudirman 1 Jakarta',
    );
  });

  it.each([
    '{{'.repeat(250_000),
    `{{nama|${'a'.repeat(499_000)}`,
    '{{nama|'.repeat(70_000),
    `{{${' '.repeat(499_000)}`,
  ])('half a million characters of broken tags are read in one go (%#)', (template) =>
    expect(findMergeTags(template)).toEqual([]),
  );
});
