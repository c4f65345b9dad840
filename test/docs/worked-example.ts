import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeBlocks, readDocument, ROOT } from './markdown';

/** What the service is made of, and what the trial run needs besides. */
const FOLDERS = 'api app consumers dashboard domain email lib operations sandbox schemas smtp stores streams'.split(
  ' ',
);
const FILES = [
  'tsconfig.json',
  'package.json',
  'test/support/builders.ts',
  'test/support/clock.ts',
  'test/support/message.ts',
  'test/docs/try-consumer.ts',
  'test/docs/try-message-field.ts',
];

/** A piece of code of the example: a whole file, entries of a table, or what comes at the end of a file. */
interface Piece {
  file: string;
  where: string | null;
  imports: string;
  code: string;
}

/** The first line of each block says where it belongs: `// streams/topics.ts, in GROUPS`. */
function pieceOf(block: string): Piece {
  const [, file = '', where = null] = /^\/\/ ([\w./-]+\.ts)(?:, (?:in )?(.+))?\n/.exec(block) ?? [];
  const lines = block.split('\n').slice(1);
  const isImport = (line: string): boolean => line.startsWith('import ');
  const [imports, code] = [lines.filter(isImport), lines.filter((line) => !isImport(line))];
  return { file, where, imports: imports.join('\n'), code: code.join('\n') };
}

/** The file with the piece in its place. Throws when the table it belongs to is not there. */
function withPiece({ file, where, imports, code }: Piece, read: () => string): string {
  if (where === null) return `${imports}\n${code}`;
  if (where === 'at the end') return `${imports}\n${read()}${code}`;
  const table = new RegExp(`^(?:export )?(?:const|interface) ${where}\\b.*[[{]\\n`, 'm');
  if (!table.test(read())) throw new Error(`There is no table ${where} in ${file}.`);
  return `${imports}\n${read().replace(table, (line) => `${line}${code}`)}`;
}

/** A copy of the service with the worked example of CONTRIBUTING.md in it; answers its folder. */
export function copyWithExample(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-example-'));
  for (const path of [...FOLDERS, ...FILES]) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const block of codeBlocks(readDocument('CONTRIBUTING.md'), 'ts')) {
    const piece = pieceOf(block);
    const path = join(folder, piece.file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      withPiece(piece, () => readFileSync(path, 'utf8')),
    );
  }
  return folder;
}
