import { readdirSync, readFileSync } from 'node:fs';
import { faultsOf } from './wording.mjs';

/** The words of the README and of the headings of docs/; the contract stays to the letter. */
const files = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)];
const isHeading = (line) => /^#{1,6} /.test(line);
const CODE = /`[^`]*`/g;

const faults = files
  .filter(
    (file) => file.endsWith('.md') && !['docs/contract.md', 'docs/glossary.md', 'docs/spec-map.md'].includes(file),
  )
  .flatMap((file) => {
    let isCode = false;
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, n) => {
        if (line.trimStart().startsWith('```')) isCode = !isCode;
        if (isCode || (file.startsWith('docs/') && !isHeading(line))) return [];
        return faultsOf(line.replace(CODE, '…')).map(({ found, say }) => `${file}:${n + 1}  not "${found}": ${say}`);
      });
  });
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
