import { execFile } from 'node:child_process';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '../../../dist/prove.js');

/** How the command ended. */
export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `kurir prove` as a program. */
export const prove = (...args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { timeout: 1_200_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
