import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDir } from './running';

const ROOT = join(__dirname, '../..');
/** Where each engine's schema version is written, and has been since there is one. */
const SCHEMAS = { embedded: 'stores/embedded/database/schema.ts', cluster: 'stores/mongodb/database/collections.ts' };

/** An earlier release, built: the folder of its programs, and the schema of each engine. */
export interface BaseRelease {
  /** For people: a commit, or the folder that was given. */
  name: string;
  dist: string;
  schema: { embedded: number; cluster: number };
}

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 });

const versionIn = (text: string): number => Number(/SCHEMA_VERSION = (\d+);/.exec(text)?.[1] ?? 0);

const FETCH =
  'Fetch it (git fetch --unshallow --tags), or set KURIR_UPGRADE_BASE to a commit of this clone or to the folder of a built release.';

/**
 * The release that an upgrade begins at. KURIR_UPGRADE_BASE names it: a commit, or the folder of a built release. Without
 * it: the newest commit whose schema is older than today's on both engines. Throws when there is none in this clone.
 */
export function buildBase(): BaseRelease {
  const wanted = process.env['KURIR_UPGRADE_BASE'] ?? '';
  if (wanted !== '' && existsSync(join(wanted, 'kurird.js'))) return builtAt(wanted);
  const commit = wanted === '' ? newestOlder() : commitOf(wanted);
  const folder = temporaryDir();
  const archive = join(folder, 'base.tar');
  git('archive', '--output', archive, commit);
  const source = join(folder, 'source');
  mkdirSync(source);
  execFileSync('tar', ['-xf', archive, '-C', source]);
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  execFileSync(process.execPath, ['packaging/build.mjs'], { cwd: source, stdio: ['ignore', 'ignore', 'pipe'] });
  const read = (path: string): number => versionIn(readFileSync(join(source, path), 'utf8'));
  const schema = { embedded: read(SCHEMAS.embedded), cluster: read(SCHEMAS.cluster) };
  return { name: `commit ${commit.slice(0, 12)}`, dist: join(source, 'dist'), schema };
}

/** The schema versions are read from the bundle of the service, where those of the embedded engine come first. */
function builtAt(dist: string): BaseRelease {
  const bundle = readFileSync(join(dist, 'kurird.bundle.js'), 'utf8');
  const after = (path: string): number =>
    Number(/SCHEMA_VERSION\d* = (\d+);/.exec(bundle.slice(bundle.indexOf(`// ${path}`)))?.[1] ?? 0);
  const schema = { embedded: after(SCHEMAS.embedded), cluster: after(SCHEMAS.cluster) };
  return { name: dist, dist, schema };
}

function commitOf(wanted: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', `${wanted}^{commit}`).trim();
  } catch {
    throw new Error(`The upgrade begins at ${wanted} (KURIR_UPGRADE_BASE), which is not in this clone. ${FETCH}`);
  }
}

function newestOlder(): string {
  const today = Object.values(SCHEMAS).map((path) => versionIn(readFileSync(join(ROOT, path), 'utf8')));
  const versionsAt = (commit: string): number[] =>
    Object.values(SCHEMAS).map((path) => {
      try {
        return versionIn(git('show', `${commit}:${path}`));
      } catch {
        return Infinity;
      }
    });
  let commits: string[] = [];
  try {
    // The parent of a change, too: the commit before the newest step is what was last released with the older schema.
    commits = git('log', '--format=%H %P', '--', ...Object.values(SCHEMAS))
      .split(/\s+/)
      .filter(Boolean);
  } catch {
    // No repository: an unpacked archive.
  }
  const found = commits.find((commit) => versionsAt(commit).every((version, i) => version < (today[i] ?? 0)));
  if (found !== undefined) return found;
  throw new Error(`No commit of this clone has an older schema, so an upgrade has nowhere to begin. ${FETCH}`);
}
