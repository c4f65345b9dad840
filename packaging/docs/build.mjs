// Builds docs/ as a site with search into dist-docs/, or the folder that is named; the running program serves it at
// /docs/guide/. A dead link ends the build.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { OUTPUT, ROOT, SOURCE, WORK } from './folders.mjs';
import { withFrontMatter } from './front-matter.mjs';
import { stage, writeStage } from './stage.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const [to = join(ROOT, 'dist-docs')] = process.argv.slice(2);

/** VitePress looks for its files where it builds, and leaves its own there. */
async function refer(from, file) {
  await mkdir(dirname(join(WORK, from)), { recursive: true });
  await writeFile(join(WORK, from), `export { default } from ${JSON.stringify(join(here, file))};\n`);
}

try {
  const { pages, images } = stage(ROOT);
  await writeStage(ROOT, SOURCE, { pages: pages.map(withFrontMatter), images });
  await refer('.vitepress/config.mjs', 'config.mjs');
  await refer('.vitepress/theme/index.mjs', 'theme.mjs');
  await build(WORK, { logLevel: 'error' });
  await rm(to, { recursive: true, force: true });
  await rename(OUTPUT, to);
} catch (error) {
  console.error(`The documentation was not built. ${error.message}`);
  process.exitCode = 1;
} finally {
  await rm(WORK, { recursive: true, force: true });
}
