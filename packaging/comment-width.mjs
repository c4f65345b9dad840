const WIDTH = 120;
/** Lines that a tool reads, which a break would end. */
const DIRECTIVE = /^(?:eslint-|@ts-|prettier-|spec: )/;
/** What begins a paragraph of its own: a point of a list, whose further lines are indented, or a tag. */
const POINT = /^(?:[-*] |\d+\. )/;
const TAG = /^@\w/;
/** A word with what would make a point of a list if a line began with it. */
const WORD = /\S+(?: (?:[-*]|\d+\.)(?= ))*/g;
/** Kept as it is: a table, code, a drawing. */
const VERBATIM = /^(?:\||`{3}| {4})/;

/** How a comment is written: what its lines begin with, and what stands around them. */
const FORMS = {
  Line: (text, indent) => text.map((line) => `// ${line}`.trimEnd()).join(`\n${indent}`),
  Block: (text, indent) => ['/**', ...text.map((line) => ` * ${line}`.trimEnd()), ' */'].join(`\n${indent}`),
};
const MARGIN = '// '.length;

/**
 * ESLint's rule for the lines of comments: at most 120 columns. Its fix wraps the paragraph. What cannot be broken,
 * such as a link, may be longer, and so may a comment behind code, which the formatter decides about.
 */
export const commentWidth = {
  meta: {
    type: 'layout',
    fixable: 'whitespace',
    schema: [],
    messages: { tooLong: `A line of a comment has at most ${WIDTH} columns.` },
  },
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const { type, start, end, text } of commentsOf(sourceCode)) {
        const lines = sourceCode.lines.slice(start.loc.start.line - 1, end.loc.end.line);
        if (!lines.some((line) => line.length > WIDTH)) continue;
        const range = [start.range[0], end.range[1]];
        const indent = ' '.repeat(start.loc.start.column);
        const wrapped = FORMS[type](wrapLong(text, WIDTH - indent.length - MARGIN), indent);
        if (wrapped === sourceCode.text.slice(...range)) continue;
        report({
          loc: { start: start.loc.start, end: end.loc.end },
          messageId: 'tooLong',
          fix: (fixer) => fixer.replaceTextRange(range, wrapped),
        });
      }
    },
  }),
};

/** The comments that stand alone on their lines, with their text line by line. `//` lines below each other are one. */
function commentsOf(sourceCode) {
  const found = [];
  for (const comment of sourceCode.getAllComments()) {
    const { type, loc } = comment;
    if (sourceCode.lines[loc.start.line - 1].slice(0, loc.start.column).trim() !== '') continue;
    const text = textOf(comment);
    const last = found.at(-1);
    if (type === 'Line' && last?.type === 'Line' && isBelow(last.end.loc, loc)) {
      last.end = comment;
      last.text.push(...text);
    } else if (text !== null) {
      found.push({ type, start: comment, end: comment, text });
    }
  }
  return found;
}

const isBelow = (above, loc) => loc.start.line === above.end.line + 1 && loc.start.column === above.start.column;

/** The text of a docstring without its stars and the empty lines around it, or of a `//` comment; null of any other. */
function textOf({ type, value }) {
  if (type === 'Line') return [value.replace(/^ /, '')];
  if (type !== 'Block' || !value.startsWith('*')) return null;
  const [first, ...rest] = value.slice(1).split('\n');
  const lines = [first.trim(), ...rest.map((line) => line.replace(/^\s*(?:\* ?)?/, '').trimEnd())];
  while (lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The lines with each paragraph wrapped that has one wider than `width`. */
const wrapLong = (lines, width) =>
  paragraphs(lines).flatMap((paragraph) =>
    paragraph.some((line) => line.length > width) ? wrap(paragraph, width) : paragraph,
  );

function paragraphs(lines) {
  const all = [];
  let isOpen = false;
  for (const line of lines) {
    const isAlone = line === '' || VERBATIM.test(line) || DIRECTIVE.test(line);
    const isAfterItem = isOpen && POINT.test(all.at(-1)[0]) && !line.startsWith(' ');
    if (isAlone || !isOpen || isAfterItem || POINT.test(line) || TAG.test(line)) all.push([line]);
    else all.at(-1).push(line);
    isOpen = !isAlone;
  }
  return all;
}

/** What is indented below the first line stays so. */
function wrap(paragraph, width) {
  const [first] = paragraph;
  if (VERBATIM.test(first) || DIRECTIVE.test(first)) return paragraph;
  const hanging = POINT.exec(first)?.[0].replace(/./g, ' ') ?? /^ */.exec(paragraph[1] ?? first)[0];
  const lines = [];
  for (const word of paragraph.join(' ').trim().match(WORD)) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= width) lines[lines.length - 1] += ` ${word}`;
    else lines.push(`${lines.length === 0 ? /^ */.exec(first)[0] : hanging}${word}`);
  }
  return lines;
}
