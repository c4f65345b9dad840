import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** The result of a program. */
export interface Run {
  code: number | null;
  out: string;
  err: string;
}

/** A folder with our build script and launcher around the given sources, to try them without the whole project. */
export class SmallProject {
  readonly path = mkdtempSync(join(tmpdir(), 'kurir-test-'));

  constructor(sources: Record<string, string>) {
    for (const part of ['packaging/build.mjs', 'app/program/bin/kurir.js', 'package.json']) {
      cpSync(join(ROOT, part), join(this.path, part));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.path, 'node_modules'));
    for (const [name, text] of Object.entries(sources)) this.write(name, text);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.file(name)), { recursive: true });
    writeFileSync(this.file(name), text);
  }

  /** Runs a script of the project with node. */
  run(script: string, ...args: string[]): Run {
    const { status, stdout, stderr } = spawnSync(process.execPath, [this.file(script), ...args], { encoding: 'utf8' });
    return { code: status, out: stdout, err: stderr };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
