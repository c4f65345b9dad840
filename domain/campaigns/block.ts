/** Most blocks of a mail, those within columns counted. */
export const MAX_BLOCKS = 100;
export const ALIGNMENTS = ['left', 'center', 'right'] as const;
type Alignment = (typeof ALIGNMENTS)[number];

/** A part of a mail that is compiled into HTML. Texts may contain merge tags. */
export type SimpleBlock =
  | { kind: 'heading'; text: string; align?: Alignment }
  /** Paragraphs, with `**bold**`, `_italic_` and `[words](link)`. */
  | { kind: 'text'; text: string; align?: Alignment }
  /** `color`: `#rrggbb`, of its background. */
  | { kind: 'button'; label: string; url: string; color?: string; align?: Alignment }
  | { kind: 'image'; url: string; alt: string; link?: string }
  | { kind: 'divider' }
  /** Small print. What the law asks for stands below every mail anyway (docs/contract.md#footer). */
  | { kind: 'footer'; text: string };

/** Blocks beside each other: two or three columns, below each other on a phone. */
export interface ColumnsBlock {
  kind: 'columns';
  columns: readonly (readonly SimpleBlock[])[];
}

export type Block = SimpleBlock | ColumnsBlock;

export const SIMPLE_KINDS = [
  'heading',
  'text',
  'button',
  'image',
  'divider',
  'footer',
] as const satisfies readonly SimpleBlock['kind'][];
export const BLOCK_KINDS = [...SIMPLE_KINDS, 'columns'] as const;
