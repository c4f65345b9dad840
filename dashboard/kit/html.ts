import { escapeUTF8 } from 'entities';

/** HTML that is safe to send: made by `html`, which escapes all values that are not. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** What may stand in a template: nothing for null, undefined and false; a list is its items in a row. */
export type Piece = Html | string | number | null | undefined | false | readonly Piece[];

const textOf = (piece: Piece): string => {
  if (piece === null || piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'string') return escapeUTF8(piece);
  return typeof piece === 'number' ? String(piece) : piece.map(textOf).join('');
};

/**
 * A template of HTML. Values are escaped for text and for attributes in double quotes, unless they are HTML themselves.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly Piece[]): Html =>
  new Html(parts.reduce((all, part, i) => all + textOf(values[i - 1]) + part));

/** Nothing. */
export const NOTHING = new Html('');
