import { closeSync, openSync, readSync } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import { codePointsAtMost } from '../../schemas/rules/text';
import { FileFault } from './errors';
import { rule } from './rules';

/** Bytes that are read of a file: a device or a pipe may never end. */
const MAX_FILE = 10_000_000;

/** The content of a file, with the name that the caller gave it. */
export class FileContent {
  constructor(
    readonly name: string,
    readonly text: string,
    /** Its bytes, if it is not in UTF-8. */
    private readonly raw?: Buffer,
  ) {}

  get bytes(): Buffer {
    return this.raw ?? Buffer.from(this.text);
  }
}

/** Makes a value of a file. Throws FileFault, or ValueError with what the file must be. */
export type ReadFile<T> = (file: FileContent) => T;

/** Reads a file of text of this machine. Throws FileFault. */
export function readFileAt(given: string): FileContent {
  const { name, bytes } = readBytesAt(given);
  if (!isUtf8(bytes)) throw new FileFault(name, rule('not_utf8'));
  return new FileContent(name, bytes.toString());
}

/** Reads any file of this machine. Throws FileFault. */
export function readBytesAt(given: string): FileContent {
  const path = given.trim();
  let bytes: Buffer;
  try {
    bytes = readAtMost(path, MAX_FILE + 1);
  } catch (error) {
    throw new FileFault(path, rule('unreadable', { why: (error as Error).message }), { cause: error });
  }
  if (bytes.length > MAX_FILE) throw new FileFault(path, rule('many_mb', { size: MAX_FILE / 1e6 }));
  return new FileContent(path, '', bytes);
}

function readAtMost(path: string, most: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(most);
    let length = 0;
    for (let read = -1; read !== 0 && length < most; length += read) {
      read = readSync(file, bytes, length, most - length, null);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** The text of a file, at most `max` characters. */
export function fileText(max: number): ReadFile<string> {
  return ({ name, text }) => {
    if (text.trim() === '') throw new FileFault(name, rule('blank'));
    if (!codePointsAtMost(text, max)) throw new FileFault(name, rule('long_file', { max }));
    return text;
  };
}
