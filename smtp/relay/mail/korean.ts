import { TextDecoder } from 'node:util';

const [FIRST_SYLLABLE, LAST_SYLLABLE] = [0xac00, 0xd7a3];
const LEAD = 0x81;
/** Second bytes for each first one: those below are letters, or high. */
const TRAILS = [...range(0x41, 0x5a), ...range(0x61, 0x7a), ...range(0x81, 0xfe)];
/** Second bytes from here on belong to EUC-KR itself, when the first one does too. */
const EUC = 0xa1;

/** A text that is put together from this many characters is made compact, since each part of it weighs more than it holds. */
const LONGEST_PIECE = 4_096;

let extension: ReadonlyMap<number, string> | undefined;

/**
 * Decodes EUC-KR with the 8,822 syllables that Windows added (code page 949), as mailers write it under the same name.
 * Node's decoder knows only EUC-KR itself. Linear in the length; bytes that stand for nothing become U+FFFD.
 */
export function decodeKorean(bytes: Uint8Array): string {
  const decoder = new TextDecoder('euc-kr');
  const pieces: string[] = [];
  let text = '';
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!;
    if (lead < LEAD) continue;
    const added = isAdded(lead, bytes[at + 1] ?? 0) ? addedSyllables().get((lead << 8) | bytes[at + 1]!) : undefined;
    if (added !== undefined) {
      text += at > from ? decoder.decode(bytes.subarray(from, at)) + added : added;
      from = at + 2;
    }
    at++;
    if (text.length < LONGEST_PIECE) continue;
    pieces.push(Buffer.from(text, 'utf16le').toString('utf16le'));
    text = '';
  }
  return pieces.join('') + text + decoder.decode(bytes.subarray(from));
}

const isAdded = (lead: number, trail: number): boolean => lead < EUC || trail < EUC;

/** By both bytes: the syllables that EUC-KR lacks, in the order of Unicode. */
function addedSyllables(): ReadonlyMap<number, string> {
  return (extension ??= listAdded());
}

function listAdded(): ReadonlyMap<number, string> {
  const decoder = new TextDecoder('euc-kr');
  const known = new Set<string>();
  for (const lead of range(0xb0, 0xc8)) {
    for (const trail of range(EUC, 0xfe)) known.add(decoder.decode(Uint8Array.of(lead, trail)));
  }
  const missing = range(FIRST_SYLLABLE, LAST_SYLLABLE)
    .map((code) => String.fromCharCode(code))
    .filter((syllable) => !known.has(syllable));
  const added = new Map<number, string>();
  for (const lead of range(LEAD, 0xc6)) {
    for (const trail of TRAILS) {
      const syllable = isAdded(lead, trail) ? missing[added.size] : undefined;
      if (syllable !== undefined) added.set((lead << 8) | trail, syllable);
    }
  }
  return added;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
