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

/** The name a heading is linked by, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The names of all headings of a text. */
export const anchorsOf = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? ''));

/** Fenced blocks may hold lines that look like headings. */
const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, '');

/** The code in a text's fenced blocks of one language. */
export const codeBlocks = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code ?? '');

/** A clause of docs/contract.md: a heading of the third level. */
export interface Clause {
  id: string;
  built: boolean;
}

/** The clauses of the contract, in its order. */
export const clausesOf = (contract: string): Clause[] =>
  contract
    .split(/^(?=#{2,3} )/m)
    .filter((block) => block.startsWith('### '))
    .map((block) => ({
      id: anchorOf(/^### (.+)$/m.exec(block)?.[1] ?? ''),
      built: !block.includes('_Not built yet._'),
    }));
