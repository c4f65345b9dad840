const LINE = 76;
/** UTF-8 bytes that fill an encoded word of 75 columns as base64. */
const WORD_BYTES = 45;
const LONGEST_PLAIN_WORD = 70;

/**
 * Text for an unstructured header field (RFC 5322 section 2.2.1), folded to lines of 76 columns; `used` columns of the
 * first are taken. Anything but printable ASCII becomes encoded words (RFC 2047). No line break of the text survives.
 */
export function headerText(text: string, used: number): string {
  const line = text.replace(/\p{Cc}+/gu, ' ').trim();
  if (!isPlainHeaderText(line)) return encodedWords(line, used);
  return used + line.length <= LINE ? line : foldAtSpaces(line, used);
}

/** True for text that a header may carry unchanged: printable ASCII, short words, nothing like an encoded word. */
export function isPlainHeaderText(text: string): boolean {
  if (!/^[ -~]*$/.test(text) || text.includes('=?')) return false;
  return text.length <= LONGEST_PLAIN_WORD || text.split(' ').every((word) => word.length <= LONGEST_PLAIN_WORD);
}

/** The text as encoded words in UTF-8 and base64, one per line; no character is split between two. */
export function encodedWords(text: string, used: number): string {
  const words: string[] = [];
  let room = Math.max(Math.floor((LINE - used - 12) / 4) * 3, 4);
  let bytes = 0;
  let word = '';
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > Math.min(room, WORD_BYTES)) {
      words.push(word);
      word = '';
      bytes = 0;
      room = WORD_BYTES;
    }
    word += character;
    bytes += size;
  }
  words.push(word);
  return words.map((part) => `=?utf-8?B?${Buffer.from(part, 'utf8').toString('base64')}?=`).join('\r\n ');
}

function foldAtSpaces(line: string, used: number): string {
  let folded = '';
  let column = used;
  for (const [i, word] of line.split(' ').entries()) {
    // keep a run of spaces together: some readers take a line of only white space for the end of the header
    if (i > 0 && word && column + 1 + word.length > LINE) {
      folded += '\r\n';
      column = 0;
    }
    folded += (i > 0 ? ' ' : '') + word;
    column += (i > 0 ? 1 : 0) + word.length;
  }
  return folded;
}
