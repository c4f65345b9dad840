import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { AdvancingClock } from '../../lib/advancing-clock';
import { engineTools } from '../../app/engines/engine-tools';
import { readConfig } from '../../operations/config/config';
import { DATABASE } from '../../operations/installation/data-dir';
import { checkedKeyring } from '../../operations/installation/checked-keyring';
import { runCli } from '../../cli/run';
import type { Keyring } from '../../domain/keyring';
import { openEmbedded } from '../../stores/embedded/open';
import type { Engine } from '../../stores/ports/engine';
import { frozenClock } from './clock';
import { temporaryDir, testEnv } from './running';

const SECRET = 'a master secret for the operator of a test';

/** The result of a command. */
export interface Said {
  code: number;
  out: string;
  err: string;
  /** The output as JSON; the command needs --json. */
  json: Record<string, unknown>;
}

export interface TestOperatorOptions {
  dataDir?: string;
  clock?: AdvancingClock;
  env?: Record<string, string>;
}

/** A terminal as a test sees it. */
export interface Terminal {
  tty?: boolean;
  colors?: boolean;
  stdin?: string;
}

/** The operator of a test: the command line in this process, each command on its own connection, as a process has. */
export class TestOperator {
  readonly clock: AdvancingClock;
  readonly env: Record<string, string>;
  dataDir!: string;

  private constructor({ clock = frozenClock(), env = {} }: TestOperatorOptions) {
    this.clock = clock;
    this.env = env;
  }

  /** Opens the data dir of a service, or new and empty data. */
  static async open(options: TestOperatorOptions = {}): Promise<TestOperator> {
    const operator = new TestOperator(options);
    if (options.dataDir === undefined) await operator.begin();
    else operator.dataDir = options.dataDir;
    return operator;
  }

  /** Of the file that calls it, on new data: the commands are run before its first case. */
  static ofFile(...commands: readonly (readonly string[])[]): TestOperator {
    const operator = new TestOperator({});
    beforeAll(() => operator.begin(commands));
    afterAll(() => operator.remove());
    return operator;
  }

  /** Of the case that runs, on new data for each: the commands are run before it. */
  static ofCase(...commands: readonly (readonly string[])[]): TestOperator {
    const operator = new TestOperator({});
    beforeEach(() => operator.begin(commands));
    afterEach(() => operator.remove());
    return operator;
  }

  private async begin(commands: readonly (readonly string[])[] = []): Promise<void> {
    this.dataDir = temporaryDir();
    mkdirSync(this.dataDir, { recursive: true });
    writeFileSync(join(this.dataDir, 'secret'), `${SECRET}\n`, { mode: 0o600 });
    await this.withKeyring(async () => undefined);
    for (const command of commands) await this.ask(...command);
  }

  /** Runs a command line. */
  async run(argv: readonly string[], { tty = false, colors = tty, stdin = '' }: Terminal = {}): Promise<Said> {
    const said = { out: '', err: '' };
    const sink = (name: 'out' | 'err') => ({
      write: (text: string) => void (said[name] += text),
      isTTY: tty,
      hasColors: () => colors,
      columns: 200,
    });
    const code = await runCli(argv, {
      stdout: sink('out'),
      stderr: sink('err'),
      stdin: Readable.from([stdin]),
      tools: async () => engineTools,
      config: () => readConfig({ ...testEnv(this.dataDir), ...this.env }),
      clock: this.clock,
      actor: 'siti@server',
    });
    return {
      code,
      ...said,
      get json() {
        return JSON.parse(said.out) as Record<string, unknown>;
      },
    };
  }

  /** The JSON output of a command that must succeed. */
  async ask(...argv: string[]): Promise<Record<string, unknown>> {
    const { code, err, json } = await this.run([...argv, '--json']);
    if (code !== 0) throw new Error(`kurir ${argv.join(' ')} ended with ${code}: ${err}`);
    return json;
  }

  /** The engine on the same data, for steps without a command. */
  async with<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    const engine = await openEmbedded({ file: join(this.dataDir, DATABASE), clock: this.clock, beside: true });
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  }

  withKeyring<T>(work: (keyring: Keyring, engine: Engine) => Promise<T>): Promise<T> {
    return this.with(async (engine) => work(await checkedKeyring(SECRET, engine.stores), engine));
  }

  remove(): void {
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
