import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorsOf, readDocument, ROOT } from './markdown';

const FOLDERS =
  /^(?:api|app|cli|clients|commands|consumers|docs|domain|email|lib|operations|packaging|presenters|proof|sandbox|schemas|smtp|stores|streams|test)\//;
/** Folders that hold no text of ours. */
const FOREIGN = ['node_modules', 'dist', 'dist-docs', 'data', 'coverage', '.git'];
const TEXT = /(?:\.(?:ts|js|mjs|cjs|md|ya?ml|sh)|^\.env\.example|^Dockerfile)$/;

/** Every text file of the project, by its path from the top. */
function textFiles(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return FOREIGN.includes(entry.name) ? [] : textFiles(path);
    return entry.isFile() && TEXT.test(entry.name) ? [path] : [];
  });
}

const files = textFiles();
const documents = files.filter((path) => path.endsWith('.md') && !path.startsWith('test/'));
/** What has documents of its own as samples. */
const SAMPLES = ['test/docs/references.test.ts', 'test/packaging/docs/stage.test.ts'];
/** All others may name a document in a comment. */
const commented = files.filter((path) => !path.endsWith('.md') && !SAMPLES.includes(path));

/** Targets of links into the project, as they stand in the text. */
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '').filter((target) => !/^[a-z]+:/.test(target));

/** Files and folders that a text names in code: `api/app.ts`, `stores/ports/`. */
const pathsOf = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map((match) => match[1] ?? '').filter((path) => FOLDERS.test(path));

/** Documents that a comment names: `docs/contract.md#trimming`, `docs/decisions/0023-...md`. */
const mentionsOf = (text: string): string[] =>
  [...text.matchAll(/\b(?:(?:docs|proof\/bench)\/[\w./-]*\w|[A-Z]+\.md)(?:#[\w-]+)?/g)]
    .map(([target]) => target)
    .filter((target) => /\.md\b|docs\/decisions\/\d/.test(target));

/** What was written outside of the project: the text of the contract by section, the design by number. */
const OUTSIDE = [
  /\bDESIGN\b/,
  /\b[Ss]pec(?:ification)?'?s?,? \(?(?:sections?|§) ?\d/,
  /\b[Ss]pec[,:] (?:GET|POST|PUT|PATCH|DELETE) \//,
  /\bthe spec(?:ification)?\b(?! of verbs)/i,
];
/** The text of comments has line ends in the middle of a reference. */
const outsideOf = (text: string): string[] => {
  const joined = text.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
  return OUTSIDE.flatMap((pattern) => pattern.exec(joined) ?? []);
};

const anchors = new Map<string, string[]>();
function hasAnchor(file: string, anchor: string): boolean {
  const known = anchors.get(file) ?? anchorsOf(readDocument(file));
  anchors.set(file, known);
  return known.includes(anchor);
}

function isBroken(document: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(ROOT, file))) return true;
  return anchor !== undefined && !hasAnchor(file, anchor);
}

describe('what the documents point at is there', () => {
  test.each(documents)('the links of %s', (document) => {
    expect(linksOf(readDocument(document)).filter((target) => isBroken(document, target))).toEqual([]);
  });

  test.each(documents)('the files that %s names', (document) => {
    expect(pathsOf(readDocument(document)).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe('what code points at is there', () => {
  test('the documents and headings that comments name', () => {
    const broken = commented.flatMap((file) =>
      mentionsOf(readDocument(file)).flatMap((target) => (isBroken('.', target) ? [`${file}: ${target}`] : [])),
    );
    expect(broken).toEqual([]);
  });

  test('no reference leads out of the project', () => {
    const out = [...documents, ...commented].flatMap((file) =>
      outsideOf(readDocument(file)).map((found) => `${file}: ${found}`),
    );
    expect(out).toEqual([]);
  });
});

test('the checks find what they are made for', () => {
  expect(linksOf('[a](b.md#c) and [d](https://e.test)')).toEqual(['b.md#c']);
  expect(isBroken('README.md', 'LICENSE')).toBe(false);
  expect(isBroken('README.md', 'NO-SUCH-FILE')).toBe(true);
  expect(isBroken('README.md', '#no-such-heading')).toBe(true);
  expect(pathsOf('`api/app.ts`, `stores/ports/`, `GET /account`, `text/plain`')).toEqual([
    'api/app.ts',
    'stores/ports/',
  ]);
  expect(mentionsOf('see docs/contract.md#trimming, docs/decisions/0023 and README.md.')).toEqual([
    'docs/contract.md#trimming',
    'docs/decisions/0023',
    'README.md',
  ]);
  expect(isBroken('.', 'docs/contract.md#trimming')).toBe(false);
  expect(isBroken('.', 'docs/contract.md#no-such-clause')).toBe(true);
  expect(outsideOf('/** A contact (spec\n * section 2). */')).toHaveLength(1);
  expect(outsideOf('DESIGN 3.5')).toHaveLength(1);
  expect(outsideOf('RFC 5321 section 4.5, addr-spec, this.verb(spec)')).toEqual([]);
});
