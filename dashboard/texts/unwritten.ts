/** Kinds of blocks and their fields, as sentences of operations name them, in Indonesian. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ Heading: 'Judul', Text: 'Teks', Button: 'Tombol', Image: 'Gambar', Columns: 'Kolom' },
  ...{ Divider: 'Garis', Footer: 'Catatan kecil' },
};
const FIELDS: Readonly<Record<string, string>> = {
  ...{ text: 'teks', label: 'label', link: 'tautan', description: 'keterangan', colour: 'warna', align: 'perataan' },
};
const ACTS: Readonly<Record<string, string>> = { add: 'isi', correct: 'perbaiki', shorten: 'ringkas' };

const ONE =
  /^(?<kind>\w+) \((?:column (?<column>\d+) of )?block (?<block>\d+)\): (?<act>\w+) (?:an?|the) (?<field>\w+)$/;

/** The refusal of a campaign whose blocks are not complete yet, in Indonesian; null for another one. */
export function incompleteInIndonesian(reason: string): string | null {
  const [, fix] = /^The campaign is not complete: (.+)\.$/s.exec(reason) ?? [];
  const said = fix === undefined ? null : unwritten(fix);
  return said && `Kampanye ini belum lengkap: ${said}.`;
}

/** Each fault as `faultSentence` of schemas/campaigns/blocks.ts says it. */
function unwritten(fix: string): string | null {
  if (fix === 'add a block') return 'tambahkan blok';
  const each = fix.split('; ').map((one) => {
    const { kind = '', column, block = '', act = '', field = '' } = ONE.exec(one)?.groups ?? {};
    const [called, does] = [KINDS[kind], ACTS[act]];
    if (called === undefined || does === undefined) return null;
    const where = column === undefined ? `blok ${block}` : `kolom ${column} di blok ${block}`;
    return `${called} (${where}): ${does} ${FIELDS[field] ?? field}`;
  });
  return each.every((one) => one !== null) ? each.join('; ') : null;
}
