import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Of the bundle, which is in dist. */
const REPOSITORY = join(__dirname, '..');

const run = (folder: string, program: string, args: readonly string[]): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

/** A build of another commit. */
export interface OtherBuild {
  /** The commit, shortened. */
  commit: string;
  /** The folder of its programs. */
  dist: string;
}

/**
 * Builds a commit in a worktree of its own below `folder`, with the packages that are installed here. Throws when git
 * does not know it, or it does not build. Remove it with `removeBuild`.
 */
export function buildCommit(folder: string, ref: string): OtherBuild {
  const commit = run(REPOSITORY, 'git', ['rev-parse', '--short', '--verify', `${ref}^{commit}`]);
  const tree = treeIn(folder);
  run(REPOSITORY, 'git', ['worktree', 'add', '--detach', '--force', tree, commit]);
  try {
    symlinkSync(join(REPOSITORY, 'node_modules'), join(tree, 'node_modules'));
    run(tree, 'npm', ['run', '--silent', 'build']);
  } catch (error) {
    removeBuild(folder);
    throw error;
  }
  return { commit, dist: join(tree, 'dist') };
}

/** Removes the worktree of `buildCommit`. */
export function removeBuild(folder: string): void {
  run(REPOSITORY, 'git', ['worktree', 'remove', '--force', treeIn(folder)]);
}

const treeIn = (folder: string): string => join(folder, 'tree');
