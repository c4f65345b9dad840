import { RISKY_EXTENSIONS } from './risky-extensions';

/** Control and format characters (including those that change the text direction), and those the contract lists. */
const STRIPPED = /[\p{C}\u2028\u2029"\\/:*?<>|]/gu;

/**
 * An attachment's name without folder parts and stripped characters (docs/contract.md#attachments); the result may be
 * empty.
 */
export function cleanFilename(name: string): string {
  const folder = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
  return name
    .slice(folder + 1)
    .replace(STRIPPED, '')
    .trim();
}

/**
 * True for a name that systems read in different ways, so that one may see another extension than the last: a semicolon
 * ends a name for some programs, and a colon begins a stream of the same file on Windows
 * (docs/contract.md#risky-attachments). `name` is as given, before it is cleaned.
 */
export function hidesExtension(name: string): boolean {
  return name.includes(';') || name.includes('::') || name.split(':').slice(0, -1).some(isRiskyFilename);
}

/**
 * True when opening a file with the last extension runs code. Trailing dots and spaces are ignored, because Windows
 * drops them.
 */
export function isRiskyFilename(cleaned: string): boolean {
  let end = cleaned.length;
  while (end > 0 && /[\s.]/.test(cleaned[end - 1]!)) end--;
  const name = cleaned.slice(0, end);
  const dot = name.lastIndexOf('.');
  return (
    dot >= 0 &&
    RISKY_EXTENSIONS.has(
      name
        .slice(dot + 1)
        .trim()
        .toLowerCase(),
    )
  );
}
