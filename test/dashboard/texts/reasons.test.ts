import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { reasonIn } from '../../../dashboard/texts/reason-in';
import { NOUNS, RULES, SENTENCES } from '../../../dashboard/texts/reasons';
import { WARNINGS } from '../../../dashboard/texts/warnings';
import { readBlocks } from '../../../schemas/campaigns/blocks';
import { FAULT_CODES, validationMessage } from '../../../schemas/rules/validation-messages';
import { dashboarded, type Visitor } from '../visitor';

const inIndonesian = (reason: string): string => reasonIn('id', reason);
/** What every English reason has one of, and no Indonesian one. */
const ENGLISH = /\b(is|are|must|has|have|the|not|no|field|found|uses|names|needs|asks)\b/i;

describe('the reasons of operations in Indonesian', () => {
  it.each(FAULT_CODES)('have a text for the rule %s', (code) => {
    const context = { limit: 5, valids: ['a', 'b'], other: 'html', name: 'kode', address: 'a@b.example' };
    const references = { what: 'audience', text: 'Ibu', ids: [3, 4], mails: [1, 2] };
    const english = validationMessage(code, 'data.0.isi', { ...context, ...references });
    const text = inIndonesian(english);
    expect(text).toContain('data.0.isi');
    expect(text).not.toMatch(ENGLISH);
    expect(inIndonesian(`Step 3: ${english}`)).toBe(`Langkah 3: ${text}`);
    expect(reasonIn('en', english)).toBe(english);
  });

  const long = 'x'.repeat(20_001);
  const heading = { kind: 'heading', text: 'Hai' };
  it.each<[string, unknown]>([
    ['array.base', 'text'],
    ['array.min of columns', [{ kind: 'columns', columns: [[heading]] }]],
    ['array.max', [{ kind: 'columns', columns: [[], [], [], []] }]],
    ['object.base', ['text']],
    ['object.unknown', [{ ...heading, other: 1 }]],
    ['any.required', [{ text: 'Hai' }]],
    ['any.only', [{ kind: 'other' }]],
    ['string.base', [{ kind: 'heading', text: 5 }]],
    ['string.max', [{ kind: 'heading', text: long }]],
    ['too many', Array.from({ length: 1_000 }, () => heading)],
  ])('have a text for the rule %s of blocks', (_, blocks) => {
    let said = '';
    try {
      readBlocks(blocks);
    } catch (error) {
      said = `${(error as Error).message}.`;
    }
    expect(said).toMatch(/^blocks/);
    expect(inIndonesian(said)).not.toMatch(ENGLISH);
  });

  it.each([
    ['name must not be empty (is "").', 'name tidak boleh kosong (isinya "").'],
    ['audience: no audience "Ibu (is)" found.', 'audience: audiens "Ibu (is)" tidak ditemukan.'],
    [
      'domain: no sending domain of the workspace "a.example" found.',
      'domain: domain pengirim ruang kerja "a.example" tidak ditemukan.',
    ],
    [
      'Unknown merge tags: {{kode}}. They are sent as they are written.',
      'Merge tag yang tidak dikenal: {{kode}}. Dikirim seperti tertulis.',
    ],
    ['The subject is empty.', 'Subjeknya kosong.'],
    ['Foto ibu.svg is damaged or cut off.', 'Foto ibu.svg rusak atau terpotong.'],
    ['url: The url field must be a valid URL.', 'url: url harus berupa URL yang benar.'],
    ['The a field is required. The b field must be unique.', 'a wajib diisi. b tidak boleh kembar.'],
    ['$& must be {limit}', '$& must be {limit}'],
    ['to must be one of $&, {values} (is "$1").', 'to harus salah satu dari $&, {values} (isinya "$1").'],
  ])('reads %s', (english, indonesian) => {
    expect(inIndonesian(english)).toBe(indonesian);
  });

  it('takes no time for a long reason that fits nothing', () => {
    const { user: before } = process.cpuUsage();
    for (const part of ['a is called "', 'must be ', 'The x field ', '(is "', ': ']) {
      const reason = part.repeat(2_000 / part.length);
      expect(inIndonesian(reason)).toBe(reason);
    }
    expect(process.cpuUsage().user - before).toBeLessThan(3_000_000);
  });
});

/** The sources that reasons come from, with options and arguments as other doors name them, and no line breaks. */
function sources(): string {
  const files = ['operations', 'schemas', 'domain', 'lib', 'commands', 'email', 'node_modules/joi/lib/types'].flatMap(
    (folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.[tj]s$/.test(name))
        .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  return files.join('\n').replaceAll(/--([a-z])/g, '$1');
}

describe('the table of reasons', () => {
  const all = sources();
  it.each([...RULES, ...SENTENCES, ...WARNINGS])('has %j, which the program still says', (english, indonesian) => {
    const missing = english
      .replace(/^must be /, '')
      .split(/\{\w+\}|; /)
      .map((part) => part.replace(/^[\s".,:;]+|[\s".,:;]+$/g, ''))
      .filter((part) => part.length > 3 && !all.includes(part));
    expect(missing).toEqual([]);
    const names = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const name of names(indonesian)) expect(names(english)).toContain(name);
  });

  it('names each noun once', () => {
    expect(Object.values(NOUNS).length).toBe(new Set(Object.values(NOUNS)).size);
  });
});

describe('a page in Indonesian', () => {
  const subject = dashboarded();
  let owner: Visitor;
  beforeAll(async () => {
    owner = await subject.person('pemilik@toko.example', { 1: 'owner' });
    owner.cookies.set('kurir_language', 'id');
  });

  it('says in Indonesian why a form was refused', async () => {
    const { status, html } = await owner.post('/app/w/1/audiences/new', { name: ' ', opt_in: 'single' });
    expect(status).toBe(422);
    expect(html).toContain('name tidak boleh kosong');
  });
});
