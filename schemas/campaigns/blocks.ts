import Joi from 'joi';
import { ALIGNMENTS, BLOCK_KINDS, MAX_BLOCKS, SIMPLE_KINDS, type Block } from '../../domain/campaigns/block';
import { readUrl } from '../../lib/read-url';
import { Reason, reasonsOf, ValueError, type Sentence } from '../../lib/reason';

const MAX_TEXT = 20_000;
const MERGE_TAG = /^\{\{[^{}]+\}\}$/;

const align = Joi.string().valid(...ALIGNMENTS);

/** A link for people: of the web, a mail, a call, or a merge tag that stands for one. */
const link = Joi.string()
  .trim()
  .max(2_000)
  .custom((value: string, helpers) => {
    if (MERGE_TAG.test(value) || /^(?:mailto|tel):\S+$/i.test(value)) return value;
    return ['http:', 'https:'].includes(readUrl(value)?.protocol ?? '') ? value : helpers.error('link');
  });

/** The address of an image: mail programs load it themselves. */
const source = Joi.string()
  .trim()
  .max(2_000)
  .custom((value: string, helpers) =>
    ['http:', 'https:'].includes(readUrl(value)?.protocol ?? '') ? value : helpers.error('source'),
  );

const text = Joi.string().max(MAX_TEXT).required();
const color = Joi.string().pattern(/^#[0-9a-f]{6}$/i);

const FIELDS: Record<(typeof SIMPLE_KINDS)[number], Joi.PartialSchemaMap> = {
  heading: { text, align },
  text: { text, align },
  button: { label: Joi.string().max(255).required(), url: link.required(), color, align },
  image: { url: source.required(), alt: Joi.string().max(500).allow('').required(), link },
  divider: {},
  footer: { text },
};

/** The same while it is written: any text, or none. */
const DRAFT_FIELDS = Object.fromEntries(
  Object.entries(FIELDS).map(([kind, fields]) => [
    kind,
    Object.fromEntries(Object.keys(fields).map((name) => [name, Joi.string().max(MAX_TEXT).allow('')])),
  ]),
) as typeof FIELDS;

const kind = (allowed: readonly string[]) =>
  Joi.string()
    .valid(...allowed)
    .required();

/** A list of blocks with these fields. */
function listOf(fields: typeof FIELDS): Joi.ArraySchema {
  const simple = SIMPLE_KINDS.map((is) => ({ is, then: Joi.object(fields[is]) }));
  const inColumn = Joi.object({ kind: kind(SIMPLE_KINDS) }).when('.kind', { switch: simple });
  const columns = Joi.array().items(Joi.array().items(inColumn)).min(2).max(3).required();
  const block = Joi.object({ kind: kind(BLOCK_KINDS) }).when('.kind', {
    switch: [...simple, { is: 'columns', then: Joi.object({ columns }) }],
  });
  return Joi.array().items(block).required().label('blocks');
}

const complete = listOf(FIELDS);
const draft = listOf(DRAFT_FIELDS);

/** Where a fault is: `blocks[2].url`. */
const placeOf = (path: readonly (string | number)[]): string =>
  `blocks${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`;

const countOf = (all: readonly Block[]): number =>
  all.reduce((sum, one) => sum + 1 + (one.kind === 'columns' ? one.columns.reduce((n, of) => n + of.length, 0) : 0), 0);

/** What is still to be written in a block before its mail can be sent. */
export interface BlockFault {
  /** Where it is: the numbers of the block and, in columns, of the column and the block in it; from 0. */
  at: readonly number[];
  /** The kind of the block, and its field. */
  kind: Block['kind'];
  field: string;
  problem: 'missing' | 'wrong' | 'long';
}

const PROBLEMS: Readonly<Record<string, BlockFault['problem']>> = {
  'any.required': 'missing',
  'string.empty': 'missing',
  'string.max': 'long',
};

/** Everything that is still to be written, in the order of the mail. Empty: it can be sent. */
export function blockFaults(blocks: readonly object[]): BlockFault[] {
  const { error } = complete.validate(blocks, { abortEarly: false });
  return (error?.details ?? []).map(({ path, type }) => {
    const at = path.filter((step) => typeof step === 'number');
    const [n = 0, column, inner = 0] = at;
    const outer = (blocks as readonly Block[])[n]!;
    const of = outer.kind === 'columns' && column !== undefined ? outer.columns[column]![inner]! : outer;
    return { at, kind: of.kind, field: String(path.at(-1)), problem: PROBLEMS[type] ?? 'wrong' };
  });
}

const said = reasonsOf({
  missing: ['{kind} ({where}): add the {field}', '{kind} ({where}): isi {field}'],
  wrong: ['{kind} ({where}): correct the {field}', '{kind} ({where}): perbaiki {field}'],
  long: ['{kind} ({where}): shorten the {field}', '{kind} ({where}): ringkas {field}'],
  block: ['block {n}', 'blok {n}'],
  in_column: ['column {column} of block {n}', 'kolom {column} di blok {n}'],
});
const kindName = reasonsOf({
  heading: ['Heading', 'Judul'],
  text: ['Text', 'Teks'],
  button: ['Button', 'Tombol'],
  image: ['Image', 'Gambar'],
  columns: ['Columns', 'Kolom'],
  divider: ['Divider', 'Garis pemisah'],
  footer: ['Footer', 'Footer'],
});
const FIELD_NAMES = {
  text: ['text', 'teks'],
  label: ['label', 'label'],
  url: ['link', 'tautan'],
  link: ['link', 'tautan'],
  alt: ['alt text', 'teks alternatif'],
  color: ['colour', 'warna'],
  align: ['alignment', 'perataan'],
} as const;
const fieldName = reasonsOf(FIELD_NAMES);
const isField = (name: string): name is keyof typeof FIELD_NAMES => name in FIELD_NAMES;

/** A fault in words: `Button (column 2 of block 5): add the link`. */
export function faultSentence({ at, kind, field, problem }: BlockFault): Reason {
  const [n = 0, column] = at;
  return said(problem, {
    kind: kindName(kind),
    where: column === undefined ? said('block', { n: n + 1 }) : said('in_column', { column: column + 1, n: n + 1 }),
    field: isField(field) ? fieldName(field) : field,
  });
}

/** What a block of a draft must be, by the code of the rule. */
const RULES: Readonly<Record<string, Sentence>> = {
  'any.required': ['is required', 'wajib diisi'],
  'any.only': ['must be one of [{valids}]', 'harus salah satu dari [{valids}]'],
  'string.base': ['must be a string', 'harus berupa teks'],
  'string.empty': ['is not allowed to be empty', 'tidak boleh kosong'],
  'string.max': ['length must be less than or equal to {limit} characters long', 'maksimal {limit} karakter'],
  'array.base': ['must be an array', 'harus berupa daftar'],
  'array.min': ['must contain at least {limit} items', 'harus berisi minimal {limit} item'],
  'array.max': ['must contain less than or equal to {limit} items', 'maksimal {limit} item'],
  'object.base': ['must be of type object', 'harus berupa objek'],
  'object.unknown': ['is not allowed', 'tidak dikenal'],
};
const draftFault = reasonsOf({
  place: ['{place} {rule}', '{place} {rule}'],
  many: ['blocks has more than {most} blocks', 'blocks lebih dari {most} blok'],
});

/**
 * The blocks of a draft from what a caller gave: texts and links may be missing or wrong yet (`blockFaults`). Throws
 * ValueError, which names the place and what must be there.
 */
export function readBlocks(given: unknown): readonly Block[] {
  const result = draft.validate(given, { errors: { label: false } });
  const [fault] = result.error?.details ?? [];
  if (fault) {
    const { type, path, message, context } = fault;
    const rule = new Reason(type, RULES[type] ?? [message, message], context);
    throw new ValueError(draftFault('place', { place: placeOf(path), rule }));
  }
  const read = result.value as readonly Block[];
  if (countOf(read) > MAX_BLOCKS) throw new ValueError(draftFault('many', { most: MAX_BLOCKS }));
  return read;
}
