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
