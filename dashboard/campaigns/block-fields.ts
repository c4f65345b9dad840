import type { Block, BLOCK_KINDS } from '../../domain/campaigns/block';
import { fieldOf, type FormFields } from '../kit/screen';

/** A block as it stands in a form: its kind, and texts that may be wrong yet. */
export interface DraftBlock {
  kind: string;
  fields: Readonly<Record<string, string>>;
  columns: readonly (readonly DraftBlock[])[];
}

/** The fields of each kind, in the order of the form. */
export const BLOCK_FIELDS = {
  heading: ['text', 'align'],
  text: ['text', 'align'],
  button: ['label', 'url', 'color', 'align'],
  image: ['url', 'alt', 'link'],
  divider: [],
  footer: ['text'],
  columns: [],
} as const satisfies Record<(typeof BLOCK_KINDS)[number], readonly string[]>;

type Kind = keyof typeof BLOCK_FIELDS;
export type BlockField = (typeof BLOCK_FIELDS)[Kind][number];

const isKind = (text: string): text is Kind => Object.hasOwn(BLOCK_FIELDS, text);
/** Deeper than columns in a block nothing lies. */
const COLUMNS = 2;

/** The name of the list of blocks; below it lies `b.0.url`, and in columns `b.0.1.0.url`. */
export const ROOT = 'b';

/** The blocks of a form, in the order of their numbers; gaps are closed. */
export function blocksOf(form: FormFields, at = ROOT): DraftBlock[] {
  const blocks: DraftBlock[] = [];
  for (let n = 0; form.has(`${at}.${n}.kind`); n += 1) blocks.push(sentBlock(form, `${at}.${n}`));
  return blocks;
}

function sentBlock(form: FormFields, at: string): DraftBlock {
  const kind = fieldOf(form, `${at}.kind`);
  const names: readonly string[] = isKind(kind) ? BLOCK_FIELDS[kind] : [];
  const columns = kind === 'columns' ? Array.from({ length: COLUMNS }, (_, n) => blocksOf(form, `${at}.${n}`)) : [];
  return { kind, fields: Object.fromEntries(names.map((name) => [name, fieldOf(form, `${at}.${name}`)])), columns };
}

/** Stored blocks as a form shows them. */
export function draftsOf(stored: readonly Block[]): DraftBlock[] {
  return stored.map((block) => {
    if (block.kind === 'columns') return { kind: block.kind, fields: {}, columns: block.columns.map(draftsOf) };
    const { kind, ...fields } = block;
    return { kind, fields, columns: [] };
  });
}

/** The blocks as an operation takes them: what is empty and need not be there is left out. */
export const jsonOf = (blocks: readonly DraftBlock[]): object[] =>
  blocks.map(({ kind, fields, columns }) => ({
    kind,
    ...Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== '' || name === 'alt')),
    ...(kind === 'columns' && { columns: columns.map(jsonOf) }),
  }));

const EMPTY: Omit<DraftBlock, 'kind'> = { fields: {}, columns: [] };

/** The numbers of a place, such as `b.0.1.0`. */
const pathOf = (place: string): number[] => place.split('.').slice(1).map(Number);

/** The block at a place, within columns too. */
export function blockAt(blocks: readonly DraftBlock[], place: string): DraftBlock | undefined {
  const [n = -1, column, inner = -1] = pathOf(place);
  return column === undefined ? blocks[n] : blocks[n]?.columns[column]?.[inner];
}

/** The blocks with another address in the block at a place. */
export function withUrl(blocks: readonly DraftBlock[], place: string, url: string): DraftBlock[] {
  const path = pathOf(place);
  return inList(blocks, path.slice(0, -1), (list) =>
    list.map((one, n) => (n === path.at(-1) ? { ...one, fields: { ...one.fields, url } } : one)),
  );
}

/**
 * Does what a button of the form says: `add <list> <kind>`, `up <block>`, `down <block>` or `remove <block>`. What
 * names nothing that is there changes nothing.
 */
export function changeBlocks(blocks: readonly DraftBlock[], command: string): DraftBlock[] {
  const [verb = '', place = '', kind = ''] = command.split(' ');
  const path = pathOf(place);
  if (verb === 'add') {
    if (!isKind(kind) || (kind === 'columns' && path.length > 0)) return [...blocks];
    const added = { ...EMPTY, kind, columns: kind === 'columns' ? Array.from({ length: COLUMNS }, () => []) : [] };
    return inList(blocks, path, (list) => [...list, added]);
  }
  const at = path.at(-1) ?? -1;
  return inList(blocks, path.slice(0, -1), (list) => {
    if (!(at in list)) return [...list];
    if (verb === 'remove') return list.filter((_, n) => n !== at);
    return verb === 'up' || verb === 'down' ? swapped(list, at, verb === 'up' ? at - 1 : at + 1) : [...list];
  });
}

function swapped(list: readonly DraftBlock[], a: number, b: number): DraftBlock[] {
  const [one, other] = [list[a], list[b]];
  if (!one || !other) return [...list];
  return list.map((block, n) => (n === a ? other : n === b ? one : block));
}

/** Changes the list at a path: none is the outer one, `[block, column]` is one of columns. */
function inList(
  blocks: readonly DraftBlock[],
  [block, column]: readonly number[],
  change: (list: readonly DraftBlock[]) => DraftBlock[],
): DraftBlock[] {
  if (block === undefined || column === undefined) return change(blocks);
  return blocks.map((one, n) =>
    n === block ? { ...one, columns: one.columns.map((list, c) => (c === column ? change(list) : list)) } : one,
  );
}
