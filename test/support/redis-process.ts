import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../../proof/crash/free-ports';

/** Whether this machine has a Redis server that a test may kill. */
export const hasRedisServer = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

/** A real Redis server for one test, which may kill, freeze, and restart it on the same port. */
export class RedisProcess {
  private child: ChildProcess | null = null;

  private constructor(private readonly port: number) {}

  static async start(): Promise<RedisProcess> {
    const [port = 0] = await freePorts(1);
    const redis = new RedisProcess(port);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it with further options of redis-server. */
  async start(...options: string[]): Promise<void> {
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()];
    this.child = spawn('redis-server', [...args, ...options], { stdio: 'ignore' });
    while (!(await this.listens())) {
      if (this.child.exitCode !== null) throw new Error(`redis-server ended with ${this.child.exitCode}`);
      await pause(20);
    }
  }

  /** Sends SIGKILL; its data is lost. */
  async kill(): Promise<void> {
    const child = this.child;
    this.child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Sends SIGSTOP: it keeps listening, but does not answer. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  private async listens(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }
}
