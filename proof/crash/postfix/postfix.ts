import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../free-ports';

const PROGRAM = '/usr/sbin/postfix';
const MASTER = '/usr/share/postfix/master.cf.dist';

/** Why no Postfix can run here; null when one can. */
export const whyNoPostfix = (): string | null => {
  if (!existsSync(PROGRAM) || !existsSync(MASTER)) return 'Postfix is not installed';
  return process.getuid?.() === 0 ? null : 'Postfix needs root';
};

export interface PostfixOptions {
  /** Where each domain goes: the value of `transport_maps`, such as `smtp:[127.0.0.1]:2626`. */
  routes: Readonly<Record<string, string>>;
  /** Settings besides those of docs/postfix.md. */
  settings?: Readonly<Record<string, string>>;
}

/** The two files of docs/postfix.md, read from the top of the project. */
export function documentedFiles(): { main: string; master: string } {
  const text = readFileSync(join(process.cwd(), 'docs/postfix.md'), 'utf8');
  const [main = '', master = ''] = [...text.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  return { main, master };
}

/**
 * Waits of seconds in place of minutes, so that a test sees several tries. A wait of one second may end at once: the
 * queue manager then finds the mail still locked by the try before, and leaves it for minutes.
 */
const SHORT_WAITS = {
  minimal_backoff_time: '3s',
  maximal_backoff_time: '3s',
  queue_run_delay: '1s',
};

/** An instance of Postfix on a free port of loopback, with the configuration of docs/postfix.md. */
export class Postfix {
  private constructor(
    private readonly base: string,
    readonly port: number,
  ) {}

  static async start({ routes, settings = {} }: PostfixOptions): Promise<Postfix> {
    const [port = 0] = await freePorts(1);
    // Its processes run under an account of their own and must reach the folders.
    const base = mkdtempSync('/tmp/kurir-postfix-');
    chmodSync(base, 0o755);
    const postfix = new Postfix(base, port);
    for (const folder of ['etc', 'queue', 'data']) mkdirSync(join(base, folder));
    execFileSync('chown', ['postfix', join(base, 'data')]);
    const documented = documentedFiles();
    const maps = Object.entries(routes).map(([domain, route]) => `${domain}=${route}`);
    const own = {
      queue_directory: join(base, 'queue'),
      data_directory: join(base, 'data'),
      maillog_file: postfix.log,
      maillog_file_prefixes: base,
      inet_interfaces: '127.0.0.1',
      inet_protocols: 'ipv4',
      smtp_dns_support_level: 'disabled',
      transport_maps: `inline:{ ${maps.join(', ')} }`,
      default_transport: 'error:5.1.2 no route to this domain',
      ...SHORT_WAITS,
      ...settings,
    };
    // What the page sets and the test must set otherwise is left out: Postfix warns of settings that are there twice.
    const kept = documented.main.split('\n').filter((line) => !(line.split(' =')[0]! in own));
    const added = Object.entries(own).map(([name, value]) => `${name} = ${value}`);
    writeFileSync(join(base, 'etc/main.cf'), `${[...kept, ...added].join('\n')}\n`);
    writeFileSync(join(base, 'etc/master.cf'), masterFile(port, documented.master));
    postfix.run();
    return postfix;
  }

  /** Starts it, again after a `kill`. */
  run(): void {
    this.command('start');
  }

  /** Kills all its processes at once, which then write nothing more. */
  kill(): void {
    const master = Number(readFileSync(join(this.base, 'queue/pid/master.pid'), 'utf8'));
    const parentOf = (pid: string): number => {
      try {
        return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
      } catch {
        return 0;
      }
    };
    const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === master);
    for (const pid of [master, ...children.map(Number)]) process.kill(pid, 'SIGKILL');
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  get log(): string {
    return join(this.base, 'mail.log');
  }

  get logged(): string {
    return existsSync(this.log) ? readFileSync(this.log, 'utf8') : '';
  }

  /** Tries everything in the queue now, also what waits longer than `SHORT_WAITS` say. */
  flush(): void {
    this.command('flush');
  }

  /** Rotates the log as `postfix logrotate` does, without compressing it. */
  rotate(): void {
    this.command('logrotate');
  }

  stop(): void {
    try {
      this.command('abort');
    } finally {
      rmSync(this.base, { recursive: true, force: true });
    }
  }

  private command(verb: 'start' | 'flush' | 'logrotate' | 'abort'): void {
    execFileSync(PROGRAM, ['-c', join(this.base, 'etc'), verb], { stdio: 'ignore' });
  }
}

/** That of the distribution, on our port and without chroot. */
function masterFile(port: number, added: string): string {
  const lines = readFileSync(MASTER, 'utf8').split('\n');
  const own = lines.map((line) => {
    if (/^smtp +inet /.test(line)) return `127.0.0.1:${port} inet n - n - - smtpd`;
    return line.replace(/^([\w.-]+ +(?:unix|fifo|inet) +[yn-] +[yn-] +)(?:y|-)( )/, '$1n$2');
  });
  return `${own.join('\n')}\n${added}`;
}
