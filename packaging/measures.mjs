// npm run measures: how large the code is, and in how many folders a subject stands. What may not come back at all is
// held by lint (packaging/no-store-writes.mjs and the rules of dashboard/ in eslint.config.mjs).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Folders that are no part of the product. */
const BESIDE = ['clients', 'packaging', 'proof', 'test'];
const SUBJECTS = [
  'campaign',
  'contact',
  'conversion',
  'destination',
  'journey',
  'suppression',
  'template',
  'warmup',
  'webhook',
];

const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const lines = (file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1;
const folderOf = (file) => file.split('/', 1)[0];
const inFolders = (folders) => files.filter((file) => folders.includes(folderOf(file)));
const PRODUCT = [...new Set(files.map(folderOf))].filter((folder) => !BESIDE.includes(folder));
const sum = (list) => list.reduce((all, file) => all + lines(file), 0);

const product = inFolders(PRODUCT);
const row = (name, value) => console.log(`${name.padEnd(44)} ${String(value).padStart(8)}`);
row('files of the product', product.length);
row('lines of the product', sum(product));
row('lines of the proof', sum(inFolders(['proof'])));
row('lines of tests', sum(inFolders(['test'])));
for (const subject of SUBJECTS) {
  const folders = new Set(product.filter((file) => file.includes(subject)).map(folderOf));
  row(`folders with files of the subject ${subject}`, `${folders.size} / ${PRODUCT.length}`);
}
