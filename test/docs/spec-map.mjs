// Writes docs/spec-map.md from docs/contract.md and the comments at the tests; with --print to standard output. An
// argument names another project. At a test, or a block of tests: // spec: docs/contract.md#trimming: null clears a
// contact's name A longer text goes on in lines that begin with three spaces. What no test holds is a comment below its
// clause: <!-- no test: base URL: HTTPS -->
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const isPrint = process.argv.includes('--print');
const [given] = process.argv.slice(2).filter((argument) => argument !== '--print');
const root = given ?? join(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (path) => readFileSync(join(root, path), 'utf8');

const HEAD = `# Which test holds which clause

Written by \`npm run spec-map\`, from the comments \`// spec: …\` at the tests. Each clause of [the contract](contract.md), and the
tests that hold it. Where a title alone would be ambiguous the block it is in stands before it: \`block › title\`. A title with \`%s\`
stands for a list of cases. The files in \`test/contract/\` run on every driver of \`test/contract/drivers.ts\`.

**no test**: it is built, and only a look holds it.
`;

/** The text of a call's first argument that is one: the title of a test or of a block. */
function titleOf(call) {
  const text = call.arguments.find((argument) => ts.isStringLiteralLike(argument) || ts.isTemplateExpression(argument));
  return text && text.getText().slice(1, -1).replace(/\\(.)/g, '$1');
}

/** The clause and the text of each mark in the comments before a call. */
function marksOf(source, call) {
  const comments = (ts.getLeadingCommentRanges(source.text, call.getFullStart()) ?? []).map(({ pos, end }) =>
    source.text.slice(pos, end),
  );
  const joined = comments.join('\n').replace(/\n\/\/ {3}(?=\S)/g, ' ');
  return [...joined.matchAll(MARK)].map(([, clause, says]) => ({ clause, says: says.trim() }));
}
const MARK = /^\/\/ spec: docs\/contract\.md#([\w-]+): (.+)$/gm;

/** Every titled call of a file, with the titles it is within, and its marks. */
function testsOf(file) {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node, within) => {
    const title = ts.isCallExpression(node) ? titleOf(node) : undefined;
    const isTest = title !== undefined && node.arguments.some(ts.isFunctionLike);
    if (isTest) found.push({ path: [...within, title], marks: marksOf(source, node) });
    ts.forEachChild(node, (child) => visit(child, isTest ? [...within, title] : within));
  };
  visit(source, []);
  const written = source.text.match(/^\s*\/\/ spec: /gm)?.length ?? 0;
  if (found.flatMap(({ marks }) => marks).length !== written)
    throw new Error(`${file}: a comment "// spec: docs/contract.md#…: what it says" is not at a test, or is not so.`);
  return found;
}

/** The shortest end of a path that no other test of the file has, and that is more than a placeholder. */
function shownTitle({ path }, tests) {
  const isAlone = (end) =>
    tests.filter((other) => other.path.slice(-end.length).join('\n') === end.join('\n')).length === 1;
  let end = path.slice(-1);
  while (end.length < path.length && (/^(%\w\W*)+$/.test(end[0]) || !isAlone(end))) end = path.slice(-end.length - 1);
  return end.join(' › ');
}

const files = readdirSync(join(root, 'test'), { recursive: true })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts') && read(path).includes('// spec: docs/contract.md#'))
  .sort();
const rows = files.flatMap((file) => {
  const tests = testsOf(file);
  return tests.flatMap((test) => test.marks.map((mark) => ({ ...mark, file, title: shownTitle(test, tests) })));
});

const cell = (text) => text.replaceAll('|', '\\|');
const code = (text) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** The lines of a clause: what it says, and the tests that hold that. */
function linesOf(id, text) {
  const own = rows.filter(({ clause }) => clause === id);
  const says = [...new Set(own.map((row) => row.says))];
  const held = says.flatMap((said) =>
    own
      .filter((row) => row.says === said)
      .map(({ file, title }, i) => `${i === 0 ? cell(said) : ''} | \`${file}\` | ${cell(code(title))} |`),
  );
  const unheld = [...text.matchAll(/<!-- no test: (.+?) -->/g)].map(([, said]) => `${cell(said)} | no test | |`);
  if (held.length === 0) throw new Error(`No test holds docs/contract.md#${id}.`);
  const lines = [...held, ...unheld].map((line) => (line.startsWith(' ') ? `|${line}` : `| ${line}`));
  return lines.map((line, i) => `| ${i === 0 ? `[${id}](contract.md#${id})` : ''}${i === 0 ? ' ' : ''}${line}`);
}

const anchor = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const sections = read('docs/contract.md')
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [heading, ...clauses] = section.split(/^### /m);
    const lines = clauses.flatMap((text) => linesOf(anchor(text.split('\n')[0]), text));
    return lines.length === 0
      ? ''
      : `\n## ${heading.split('\n')[0]}\n\n<!-- prettier-ignore-start -->\n\n| clause | what it says | test file | test |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n\n<!-- prettier-ignore-end -->\n`;
  });
const ids = new Set([...read('docs/contract.md').matchAll(/^### (.+)$/gm)].map(([, heading]) => anchor(heading)));
const stray = rows.find(({ clause }) => !ids.has(clause));
if (stray) throw new Error(`${stray.file}: there is no clause docs/contract.md#${stray.clause}.`);

const FOOT = '\nNext: [testing](testing.md), for how these tests are run.\n';
const page = HEAD + sections.join('') + FOOT;
if (isPrint) process.stdout.write(page);
else writeFileSync(join(root, 'docs/spec-map.md'), page);
