import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Installation } from '../installation';
import { SECRET } from '../seed';

/** `kurir` on the data of an installation, beside its service. */
export class CommandLine {
  constructor(
    /** The built program, dist/crash.js. */
    private readonly program: string,
    private readonly installation: Installation,
  ) {}

  /** Runs a command with --json and returns its answer. Throws when it is refused. */
  async run(...words: readonly string[]): Promise<Record<string, unknown>> {
    const child = this.start(words);
    const ended = once(child, 'close');
    const [answer, complaint] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
    await ended;
    if (child.exitCode !== 0) throw new Error(`kurir ${words.join(' ')} failed: ${complaint}${answer}`);
    return JSON.parse(answer) as Record<string, unknown>;
  }

  /** Starts a command and sends it SIGKILL after `ms`. Returns true when that was before its end. */
  async killed(ms: number, ...words: readonly string[]): Promise<boolean> {
    const child = this.start(words);
    child.stdout?.resume();
    child.stderr?.resume();
    const timer = setTimeout(() => child.kill('SIGKILL'), ms);
    await once(child, 'close');
    clearTimeout(timer);
    return child.signalCode === 'SIGKILL';
  }

  private start(words: readonly string[]): ChildProcess {
    return spawn(process.execPath, [join(dirname(this.program), 'kurir.js'), ...words, '--json'], {
      // Not where a developer's .env is.
      cwd: dirname(this.program),
      env: { ...this.installation.env, KURIR_SECRET: SECRET, KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}
