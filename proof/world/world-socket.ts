import type net from 'node:net';
import { Duplex } from 'node:stream';
import type { Owner } from './schedule';

/** What a socket needs of the network that it belongs to. */
export interface Wires {
  /** Runs this after the time of a packet, if the owner lives then. */
  later(owner: Owner, run: () => void): void;
  /** Whether the connection breaks with the packet that arrives now. */
  breaks(): boolean;
  gone(socket: WorldSocket): void;
}

/** One end of a connection of the world. What it writes arrives in order, after a while, or never. */
export class WorldSocket extends Duplex {
  peer: WorldSocket | null = null;
  connecting = false;
  remoteAddress = '127.0.0.1';
  remoteFamily = 'IPv4';
  remotePort = 0;
  localAddress = '127.0.0.1';
  localPort = 0;
  encrypted = false;
  bytesWritten = 0;
  bytesRead = 0;
  timeout = 0;
  /** It waits for a server to take it. */
  isUnaccepted = false;
  private timer: ReturnType<typeof setTimeout> | null = null;
  /** What is on its way to here: bytes, or the end. */
  private readonly coming: (Buffer | null)[] = [];
  private isArriving = false;

  constructor(
    private readonly network: Wires,
    readonly owner: Owner,
  ) {
    super({ allowHalfOpen: true, autoDestroy: true, emitClose: true });
  }

  override _read(): void {
    this.touch();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.touch();
    this.bytesWritten += chunk.length;
    if (this.connecting) return void this.once('connect', () => this._write(chunk, _encoding, done));
    // The kernel takes the bytes, whatever becomes of them.
    if (this.peer) this.peer.arrive(chunk);
    else this.cut();
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.connecting) return void this.once('connect', () => this._final(done));
    this.peer?.arrive(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.timer) clearTimeout(this.timer);
    this.network.gone(this);
    const { peer } = this;
    this.peer = null;
    if (peer) {
      peer.peer = null;
      // An end that was sent in order follows the bytes before it.
      if (!this.writableFinished) peer.cut();
    }
    done(error);
  }

  /** Bytes or the end are on their way to here. */
  arrive(part: Buffer | null): void {
    this.coming.push(part);
    this.nextArrival();
  }

  /** The other side is gone. */
  cut(): void {
    this.network.later(this.owner, () => {
      if (this.destroyed) return;
      // Nobody has it yet who could hear of an error.
      if (this.isUnaccepted) this.destroy();
      else this.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    });
  }

  /** The connection breaks under both ends. */
  reset(): void {
    const { peer } = this;
    this.peer = null;
    if (peer) peer.peer = null;
    for (const end of [this, peer]) end?.cut();
  }

  private nextArrival(): void {
    if (this.isArriving || this.coming.length === 0) return;
    this.isArriving = true;
    this.network.later(this.owner, () => {
      this.isArriving = false;
      const part = this.coming.shift();
      if (this.destroyed || part === undefined) return;
      if (part && this.network.breaks()) return this.reset();
      this.touch();
      if (part) this.bytesRead += part.length;
      this.push(part);
      this.nextArrival();
    });
  }

  /** Not called once anything happens in time (net.Socket.setTimeout). */
  setTimeout(ms: number, onTimeout?: () => void): this {
    this.timeout = ms;
    if (onTimeout) this.once('timeout', onTimeout);
    this.touch();
    return this;
  }

  private touch(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = this.timeout > 0 && !this.destroyed ? setTimeout(() => this.emit('timeout'), this.timeout) : null;
  }

  get readyState(): string {
    if (this.connecting) return 'opening';
    if (this.readable) return this.writable ? 'open' : 'readOnly';
    return this.writable ? 'writeOnly' : 'closed';
  }

  get pending(): boolean {
    return this.connecting;
  }

  /** Of TLS, which the world has not. */
  disableRenegotiation(): void {
    // There is nothing to negotiate.
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  address(): net.AddressInfo {
    return { address: this.localAddress, family: 'IPv4', port: this.localPort };
  }

  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  resetAndDestroy(): this {
    return this.destroy();
  }
}
