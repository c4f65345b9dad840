interface Paragraph {
  depth: number;
  pieces: string[];
  /** The last line asked to go on. */
  flows: boolean;
}

const SIGNATURE = '-- ';

/**
 * Undoes `format=flowed` (RFC 3676): lines that end in a space go on in the next one of the same quote depth. `delSp`:
 * that space is no content. Lines end in LF. Linear in the length.
 */
export function unflow(text: string, delSp: boolean): string {
  const paragraphs: Paragraph[] = [];
  for (const line of text.split('\n')) {
    const depth = /^>*/.exec(line)![0].length;
    const content = line.slice(line[depth] === ' ' ? depth + 1 : depth);
    const last = paragraphs.at(-1);
    const flows = content.endsWith(' ') && content !== SIGNATURE;
    const piece = flows && delSp ? content.slice(0, -1) : content;
    if (last?.flows && last.depth === depth && content !== SIGNATURE) {
      last.pieces.push(piece);
      last.flows = flows;
    } else paragraphs.push({ depth, pieces: [piece], flows });
  }
  return paragraphs.map(({ depth, pieces }) => `${quoteMarks(depth)}${pieces.join('')}`).join('\n');
}

const quoteMarks = (depth: number): string => (depth > 0 ? `${'>'.repeat(depth)} ` : '');
