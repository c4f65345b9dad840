import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the project. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
/** What a build needs while it lasts; in the project, so that pages find their packages. */
export const WORK = join(ROOT, `dist/docs-${process.pid}`);
/** The pages as they are built. */
export const SOURCE = join(WORK, 'source');
/** The site until it is whole. */
export const OUTPUT = join(WORK, 'site');
/** Where the running program serves it. */
export const BASE = '/docs/guide/';
