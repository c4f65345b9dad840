// Builds the mutants into the program of the proof: each safety device of the list gets a switch that breaks it.
// Kurir itself is built without them.
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { MUTANTS } from './mutants.mjs';

/** The source of a file with the switches of its mutants. Throws if a device is not there exactly once. */
export function withSwitches(file, source) {
  let text = source;
  for (const { name, file: of, device, broken } of MUTANTS) {
    if (of !== file) continue;
    if (text.split(device).length !== 2) throw new Error(`mutant ${name}: its device is not in ${file} exactly once`);
    text = text.replace(
      device,
      () => `(globalThis.kurirMutant === ${JSON.stringify(name)} ? (${broken}) : (${device}))`,
    );
  }
  return text;
}

/** A plugin of esbuild. The build fails if a device is in no file that it reads. */
export const insertMutants = (root) => ({
  name: 'mutants',
  setup(build) {
    const files = new Set(MUTANTS.map(({ file }) => file));
    const read = new Set();
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const file = relative(root, path).replaceAll('\\', '/');
      if (!files.has(file)) return undefined;
      read.add(file);
      return { contents: withSwitches(file, await readFile(path, 'utf8')), loader: 'ts' };
    });
    build.onEnd(() => ({
      errors: MUTANTS.filter(({ file }) => !read.has(file)).map(({ name, file }) => ({
        text: `mutant ${name}: its file ${file} is not in the proof`,
      })),
    }));
  },
});
