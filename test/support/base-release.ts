import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDir } from './running';

const ROOT = join(__dirname, '../..');
/** Where each engine's schema version is written. */
const SCHEMAS = {
  // The second in releases before it.
  embedded: ['stores/shared/data-file.ts', 'stores/embedded/database/schema.ts'],
  cluster: ['stores/mongodb/database/collections.ts'],
};
/** A commit that gives a section of it another heading makes, or dates, that release. */
const CHANGELOG = 'CHANGELOG.md';

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
 * The release that an upgrade begins at. KURIR_UPGRADE_BASE names it: a commit, or the folder of a built release.
 * Without it: the newest commit of a release whose schema is older than today's; while there is none, the commit that
 * made the release in which today's schema came. Throws when it is not in this clone.
 */
export function buildBase(): BaseRelease {
  const wanted = process.env['KURIR_UPGRADE_BASE'] ?? '';
  if (wanted !== '' && existsSync(join(wanted, 'kurird.js'))) return builtAt(wanted);
  const commit = wanted === '' ? releaseCommit() : commitOf(wanted);
  const folder = temporaryDir();
  const archive = join(folder, 'base.tar');
  git('archive', '--output', archive, commit);
  const source = join(folder, 'source');
  mkdirSync(source);
  execFileSync('tar', ['-xf', archive, '-C', source]);
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  execFileSync(process.execPath, ['packaging/build.mjs'], { cwd: source, stdio: ['ignore', 'ignore', 'pipe'] });
  const read = (paths: readonly string[]): number =>
    versionIn(
      readFileSync(
        join(
          source,
          paths.find((path) => existsSync(join(source, path)))!,
        ),
        'utf8',
      ),
    );
  const schema = { embedded: read(SCHEMAS.embedded), cluster: read(SCHEMAS.cluster) };
  return { name: `commit ${commit.slice(0, 12)}`, dist: join(source, 'dist'), schema };
}

/** The schema versions are read from the bundle of the service, where those of the embedded engine come first. */
function builtAt(dist: string): BaseRelease {
  const bundle = readFileSync(join(dist, 'kurird.bundle.js'), 'utf8');
  const after = (paths: readonly string[]): number => {
    const [at = 0] = paths.map((path) => bundle.indexOf(`// ${path}`)).filter((found) => found >= 0);
    return Number(/SCHEMA_VERSION\d* = (\d+);/.exec(bundle.slice(at))?.[1] ?? 0);
  };
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

/** The commits that made or dated a release, newest first. */
function releases(): string[] {
  try {
    // In a shallow clone the oldest commit looks as if it had made everything.
    const cut = git('rev-parse', '--is-shallow-repository').trim() === 'true' ? git('log', '--format=%H %P') : '';
    const boundary = new Set(cut.split('\n').flatMap((line) => (/^\w+ $/.test(line) ? [line.trim()] : [])));
    const found = git('log', '--format=%H', '-G', '^## \\[[0-9]+\\.[0-9]+\\.[0-9]+\\]', '--', CHANGELOG).split('\n');
    return found.filter((commit) => commit !== '' && !boundary.has(commit));
  } catch {
    // No repository: an unpacked archive.
    return [];
  }
}

function releaseCommit(): string {
  const places = Object.values(SCHEMAS);
  const today = places.map(([path = '']) => versionIn(readFileSync(join(ROOT, path), 'utf8')));
  const versionsAt = (commit: string): number[] =>
    places.map((paths) => {
      for (const path of paths) {
        try {
          return versionIn(git('show', `${commit}:${path}`));
        } catch {
          // Not there in that release.
        }
      }
      return Infinity;
    });
  // Versions counted anew at the first release, so what comes before a newer number is none of these.
  const made: { commit: string; versions: number[] }[] = [];
  for (const commit of releases()) {
    const versions = versionsAt(commit);
    if (versions.some((version, i) => version > (today[i] ?? 0))) break;
    made.push({ commit, versions });
  }
  const older = made.find(({ versions }) => versions.some((version, i) => version < (today[i] ?? 0)));
  const base = older ?? made[0];
  if (base !== undefined) return base.commit;
  throw new Error(
    `This clone does not hold the commit that made a release, so an upgrade has nowhere to begin. ${FETCH}`,
  );
}
