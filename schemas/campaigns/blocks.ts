import Joi from 'joi';
import { ALIGNMENTS, BLOCK_KINDS, MOST_BLOCKS, SIMPLE_KINDS, type Block } from '../../domain/campaigns/block';
import { readUrl } from '../../lib/read-url';

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
  })
  .messages({ link: '{{#label}} must be a link that begins with https://, http://, mailto: or tel:, or a merge tag' });

/** The address of an image: mail programs load it themselves. */
const source = Joi.string()
  .trim()
  .max(2_000)
  .custom((value: string, helpers) =>
    ['http:', 'https:'].includes(readUrl(value)?.protocol ?? '') ? value : helpers.error('source'),
  )
  .messages({ source: '{{#label}} must be an address that begins with https:// or http://' });

const text = Joi.string().max(MAX_TEXT).required();
const color = Joi.string()
  .pattern(/^#[0-9a-f]{6}$/i)
  .messages({ 'string.pattern.base': '{{#label}} must be a colour such as #0b5c4b' });

const FIELDS: Record<(typeof SIMPLE_KINDS)[number], Joi.PartialSchemaMap> = {
  heading: { text, align },
  text: { text, align },
  button: { label: Joi.string().max(255).required(), url: link.required(), color, align },
  image: { url: source.required(), alt: Joi.string().max(500).allow('').required(), link },
  divider: {},
  footer: { text },
};

const kind = (allowed: readonly string[]) =>
  Joi.string()
    .valid(...allowed)
    .required();

const simple = Joi.object({ kind: kind(SIMPLE_KINDS) }).when('.kind', {
  switch: SIMPLE_KINDS.map((is) => ({ is, then: Joi.object(FIELDS[is]) })),
});

const block = Joi.object({ kind: kind(BLOCK_KINDS) }).when('.kind', {
  switch: [
    ...SIMPLE_KINDS.map((is) => ({ is, then: Joi.object(FIELDS[is]) })),
    {
      is: 'columns',
      then: Joi.object({ columns: Joi.array().items(Joi.array().items(simple)).min(2).max(3).required() }),
    },
  ],
});

const blocks = Joi.array().items(block).min(1).required().label('blocks');

/** Where a fault is: `blocks[2].url`. */
const placeOf = (path: readonly (string | number)[]): string =>
  `blocks${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`;

const countOf = (all: readonly Block[]): number =>
  all.reduce((sum, one) => sum + 1 + (one.kind === 'columns' ? one.columns.reduce((n, of) => n + of.length, 0) : 0), 0);

/** The blocks of a mail from what a caller gave. Throws RangeError, which names the place and what must be there. */
export function readBlocks(given: unknown): readonly Block[] {
  const result = blocks.validate(given, { errors: { label: false } });
  const [fault] = result.error?.details ?? [];
  if (fault) throw new RangeError(`${placeOf(fault.path)} ${fault.message.trim()}`);
  const read = result.value as readonly Block[];
  if (countOf(read) > MOST_BLOCKS) throw new RangeError(`blocks has more than ${MOST_BLOCKS} blocks`);
  return read;
}
