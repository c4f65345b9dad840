import { spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { until } from '../stage/until';

interface Running {
  argv: string[];
  cwd: string;
}

const PATIENCE = { every: 100, patience: 60_000 };

/**
 * The processes of the real servers, for faults. A folder holds `<name>.pid` and `<name>.port` for each server, such
 * as `kafka1`, `mongo2` or `redis`, and `<name>.log` for its output. A killed server is restarted with its old command
 * line, which is read from Linux's /proc.
 */
export class Servers {
  private readonly killed = new Map<string, Running>();
  private readonly paused = new Set<string>();

  /** `folder` null: the processes are unknown. */
  constructor(private readonly folder: string | null) {}

  /** The names with this prefix: `kafka`, `mongo`, `redis`. */
  named(kind: string): string[] {
    if (this.folder === null) return [];
    const names = readdirSync(this.folder).filter((file) => file.endsWith('.pid'));
    return names.map((file) => basename(file, '.pid')).filter((name) => name.startsWith(kind));
  }

  /** The server that listens on this port of this machine. Throws when none is known. */
  at(port: number): string {
    const found = this.named('').find((name) => this.portOf(name) === port);
    if (found === undefined) throw new Error(`No known server listens on port ${port}.`);
    return found;
  }

  /** Sends SIGKILL. */
  kill(name: string): void {
    this.note(name);
    process.kill(this.pidOf(name), 'SIGKILL');
  }

  /** Where the servers keep their data; null when that is not known. */
  get data(): string | null {
    return this.folder;
  }

  /** Calls the work, in which servers may end by themselves, and restarts those that did. Returns them. */
  async restartEnded(work: () => Promise<void>): Promise<string[]> {
    for (const name of this.named('')) this.note(name);
    await work();
    const ended = [...this.killed.keys()].filter((name) => hasEnded(this.pidOf(name)));
    for (const name of this.killed.keys()) if (!ended.includes(name)) this.killed.delete(name);
    await Promise.all(ended.map((name) => this.restart(name)));
    return ended;
  }

  /** Sends SIGSTOP: it answers nothing, and its connections stay open. */
  pause(name: string): void {
    process.kill(this.pidOf(name), 'SIGSTOP');
    this.paused.add(name);
  }

  /** Sends SIGCONT to a paused server. */
  resume(name: string): void {
    if (this.paused.delete(name)) process.kill(this.pidOf(name), 'SIGCONT');
  }

  /** Restarts a killed server and waits until it listens. */
  async restart(name: string): Promise<void> {
    const was = this.killed.get(name);
    if (!was) return;
    this.killed.delete(name);
    const log = openSync(this.file(`${name}.log`), 'a');
    const [program = '', ...args] = was.argv;
    const child = spawn(program, args, { cwd: was.cwd, detached: true, stdio: ['ignore', log, log] });
    child.unref();
    writeFileSync(this.file(`${name}.pid`), `${child.pid}\n`);
    await this.untilListening(name);
  }

  /** Restarts all killed servers, and lets all paused ones go on. */
  async restartAll(): Promise<void> {
    for (const name of this.paused) this.resume(name);
    await Promise.all([...this.killed.keys()].map((name) => this.restart(name)));
  }

  private note(name: string): void {
    const pid = this.pidOf(name);
    this.killed.set(name, { argv: this.commandOf(name, pid), cwd: readlinkSync(`/proc/${pid}/cwd`) });
  }

  private async untilListening(name: string): Promise<void> {
    const port = this.portOf(name);
    if (await until(() => listens(port), PATIENCE)) return;
    throw new Error(`${name} does not listen on port ${port} after its restart.`);
  }

  /** Redis overwrites its arguments with a title. It keeps no data, so the port is the only argument that matters. */
  private commandOf(name: string, pid: number): string[] {
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    if (!name.startsWith('redis')) return argv;
    const port = String(this.portOf(name));
    return ['redis-server', '--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  }

  private file(name: string): string {
    return join(this.folder ?? '', name);
  }

  private pidOf(name: string): number {
    return Number(readFileSync(this.file(`${name}.pid`), 'utf8'));
  }

  private portOf(name: string): number {
    return Number(readFileSync(this.file(`${name}.port`), 'utf8'));
  }
}

/** A process that nobody has waited for yet has ended, too. */
function hasEnded(pid: number): boolean {
  try {
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
