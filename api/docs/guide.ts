import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors';
import { answerPacked, pack, type Packed } from '../http/packed';
import { contentSecurityPolicy } from './page';

/** Where the site is built to be; its links are from there. */
export const GUIDE = '/docs/guide';
/** Bytes of files that are kept, plain and compressed. */
const KEPT = 8 * 1024 * 1024;
/** Names that change with what is in them. */
const HASHED = /^assets\/.+\.[\w-]{8,}(?:\.lean)?\.\w+$/;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Documentation – Kurir</title>
</head>
<body>
<h1>The documentation is not built</h1>
<p>Run <code>npm run docs</code> in the folder of Kurir, then reload this page. The same pages are in <code>docs/</code>,
and the <a href="../../docs">API reference</a> is here.</p>
</body>
</html>
`;

/** Serves the site that `npm run docs` builds from docs/. */
export class Guide {
  /** Every file by its path below the site; a request gets one of these or none. */
  private listed: Promise<ReadonlyMap<string, string>> | null = null;
  /** Tells one build from the next. */
  private built = '';
  private readonly kept = new LRUCache<string, Packed>({
    maxSize: KEPT,
    sizeCalculation: ({ plain, gzipped }) => plain.length + gzipped.length + 1,
  });

  /** `folder`: the built site; it need not be there. */
  constructor(private readonly folder: string | null) {}

  /** Answers a request below `GUIDE`. */
  async answer(ctx: Context): Promise<void> {
    if (ctx.path === GUIDE) return ctx.redirect('guide/');
    ctx.set({
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
    });
    const files = await this.files();
    if (!files) {
      ctx.status = 404;
      ctx.type = 'html';
      ctx.body = NOT_BUILT;
      return;
    }
    const name = ctx.path.slice(GUIDE.length + 1).replace(/(^|\/)$/, '$1index.html');
    const file = files.get(name);
    const packed = file === undefined ? null : await this.packed(file);
    if (!packed) throw new ApiError('not_found');
    const cacheControl = HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache';
    answerPacked(ctx, packed, extname(name), cacheControl);
  }

  /** Null for a file that is gone since it was listed: the site is being built again. */
  private async packed(file: string): Promise<Packed | null> {
    const known = this.kept.get(file);
    if (known) return known;
    const { built } = this;
    const content = await readFile(file).catch(nullIfGone);
    if (content === null) return null;
    const packed = await pack(content);
    // What was read of the build before must not stay for this one.
    if (built === this.built) this.kept.set(file, packed);
    return packed;
  }

  /** Null while the site is not built. */
  private async files(): Promise<ReadonlyMap<string, string> | null> {
    if (this.folder === null) return null;
    const first = await stat(join(this.folder, 'index.html')).catch(() => null);
    if (!first) return null;
    const built = `${first.ino} ${first.mtimeMs}`;
    if (this.listed === null || this.built !== built) {
      this.built = built;
      this.kept.clear();
      const listed = list(this.folder);
      this.listed = listed;
      // The next request tries again.
      listed.catch(() => {
        if (this.listed === listed) this.listed = null;
      });
    }
    return this.listed;
  }
}

function nullIfGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** The files of a folder by their path in it, as URLs write it; symbolic links are none. */
async function list(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [relative(folder, file).split(sep).join('/'), file]));
}
