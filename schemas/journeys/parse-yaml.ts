import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from 'yaml';
import type { CST, Document, ParsedNode, YAMLMap } from 'yaml';
import type { Reason } from '../../lib/reason';
import type { Faults } from './faults';
import { fileFault } from './file-faults';

/** A part of a YAML file with its line, from 1. */
export type YamlNode = YamlText | YamlList | YamlMap | { kind: 'nothing'; line: number };

export interface YamlText {
  kind: 'text';
  line: number;
  /** As it is written: `0123` stays what it is. */
  text: string;
  /** What it stands for in YAML: `true` without quotes is a boolean. */
  value: unknown;
}

export interface YamlList {
  kind: 'list';
  line: number;
  items: YamlNode[];
}

export interface YamlMap {
  kind: 'map';
  line: number;
  fields: Map<string, YamlField>;
}

export interface YamlField {
  /** That of the key. */
  line: number;
  value: YamlNode;
}

/**
 * The most that may be open at once in the parser, which recurses: a deeper file would exhaust the stack. A journey
 * with branches in branches stays below half of it.
 */
const MAX_OPEN = 100;

/**
 * The most pieces that the parser may find: names, values, marks and the spaces between. A journey of 100 steps has
 * some thousand; a text is one piece, however long. Many more would take minutes.
 */
const MAX_PIECES = 150_000;
/** A bracket counts for more: what it opens is composed, and its errors are looked through again and again. */
const BRACKET = 6;

/** The rest of the file is not read. */
class Unparsable extends Error {
  constructor(
    readonly reason: Reason,
    readonly offset: number,
  ) {
    super(reason.toString());
  }
}

interface Conversion {
  faults: Faults;
  lineAt: (offset: number) => number;
}

/**
 * Parses YAML 1.2 to plain parts with their lines. Refuses what a file written by hand does not need: anchors, aliases,
 * tags, directives, a second document, double keys, nesting that would exhaust the stack, and more parts than a journey
 * has. Null when it cannot be read; the faults say why.
 */
export function parseYaml(text: string, faults: Faults): YamlNode | null {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const composer = new Composer<ParsedNode>({ prettyErrors: false, uniqueKeys: false, version: '1.2' });
  try {
    const [document, next] = composer.compose(tokens(text, lines), true, text.length);
    if (next) faults.add(lineAt(next.range[0]), fileFault('documents'));
    return document ? convert(document, { faults, lineAt }) : null;
  } catch (error) {
    if (!(error instanceof Unparsable)) throw error;
    faults.add(lineAt(error.offset), error.reason);
    return null;
  }
}

function* tokens(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let pieces = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > MAX_OPEN) throw new Unparsable(fileFault('nested'), parser.offset);
    pieces += /^[[\]{}]$/.test(lexeme) ? BRACKET : 1;
    if (pieces > MAX_PIECES) throw new Unparsable(fileFault('parts'), parser.offset);
  }
  yield* parser.end();
}

function convert(document: Document.Parsed, conversion: Conversion): YamlNode | null {
  const { faults, lineAt } = conversion;
  for (const { pos, message } of document.errors) faults.add(lineAt(pos[0]), fileFault('yaml', { message }));
  if (document.directives.yaml.explicit === true) faults.add(1, fileFault('directives'));
  return document.errors.length > 0 ? null : toNode(document.contents, 1, conversion);
}

function toNode(node: ParsedNode | null, keyLine: number, conversion: Conversion): YamlNode {
  if (node === null) return { kind: 'nothing', line: keyLine };
  const { faults, lineAt } = conversion;
  const line = lineAt(node.range[0]);
  if (isAlias(node)) {
    faults.add(line, fileFault('aliases'));
    return { kind: 'nothing', line };
  }
  if (node.anchor !== undefined) faults.add(line, fileFault('anchors'));
  if (node.tag !== undefined) faults.add(line, fileFault('tags'));
  if (isMap(node)) return toMap(node, line, conversion);
  if (isSeq(node)) return { kind: 'list', line, items: node.items.map((item) => toNode(item, line, conversion)) };
  const { value, source } = node;
  return value === null ? { kind: 'nothing', line } : { kind: 'text', line, value, text: source };
}

function toMap(map: YAMLMap.Parsed, line: number, conversion: Conversion): YamlMap {
  const { faults, lineAt } = conversion;
  const fields = new Map<string, YamlField>();
  for (const { key, value } of map.items) {
    const at = lineAt(key.range[0]);
    const field = { line: at, value: toNode(value, at, conversion) };
    const name = isScalar(key) && typeof key.value === 'string' ? key.value : null;
    const before = name === null ? undefined : fields.get(name);
    if (name === null) faults.add(at, fileFault('key'));
    else if (before) faults.add(at, fileFault('twice', { field: name, line: before.line }));
    else fields.set(name, field);
  }
  return { kind: 'map', line, fields };
}
