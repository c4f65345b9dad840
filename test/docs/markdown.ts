import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The top of the project. */
export const ROOT = join(__dirname, '../..');

/** A document of the project, by its path from the top. */
export const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The cells of every table row of a text, trimmed, with `\|` as `|`; without the rules below the heads. */
export function tableRows(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
}

/** The text below a heading, up to the next one of any level; throws when there is no such heading. */
export function sectionOf(markdown: string, heading: string): string {
  const [, found] = markdown.split(new RegExp(`^#+ ${heading}$`, 'm'));
  if (found === undefined) throw new Error(`There is no heading "${heading}".`);
  return found.split(/^#+ /m)[0] ?? '';
}

/** The text of a code span, or null when the cell is none. Spans that hold a backtick have two around them. */
export function codeSpan(cell: string): string | null {
  return (/^``\s?(.+?)\s?``$/.exec(cell) ?? /^`([^`]+)`$/.exec(cell))?.[1] ?? null;
}
