import { EventEmitter } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { REAL } from './globals';
import type { Random } from './random';
import type { Owner, Schedule } from './schedule';
import { replaced } from './replaced';
import { WorldSocket, type Wires } from './world-socket';

/** How the world's network is in one run. */
export interface NetworkProfile {
  /** Longest way of a packet, ms. */
  latency: number;
  /** Probability that a connection is reset with a packet on its way. */
  reset: number;
  /** Probability that a new connection gets no answer. */
  refuse: number;
}

/** What Node calls the timer that looks at the connections of an HTTP server. */
const CHECKS = 'http.server.connectionsCheckingInterval';

interface Listener {
  server: net.Server;
  owner: Owner;
}

/** The network of the world: who listens at which port, and every open connection. */
export class Network implements Wires {
  private readonly listeners = new Map<number, Listener>();
  private readonly open = new Set<WorldSocket>();
  private nextPort = 20_000;

  constructor(
    private readonly schedule: Schedule,
    private readonly random: Random,
    private profile: NetworkProfile,
    /** Hears of every connection that breaks or is refused. */
    private readonly onFault: (kind: string) => void,
  ) {}

  /** From now on no connection breaks. */
  calm(): void {
    this.profile = { ...this.profile, reset: 0, refuse: 0 };
  }

  /** Replaces the sockets of this thread. Returns what brings the real ones back. */
  enter(): () => void {
    const server = net.Server.prototype;
    const connect = (...args: unknown[]): WorldSocket => this.connect(args);
    const isReal = Function.prototype[Symbol.hasInstance].bind(net.Socket);
    const undo = [
      replaced(net, 'connect', { value: connect }),
      replaced(net, 'createConnection', { value: connect }),
      replaced(tls, 'createServer', { value: () => new PlainTls() }),
      // What nobody uses takes long to make.
      replaced(tls, 'createSecureContext', { value: () => ({}) }),
      replaced(server, 'listen', { value: asMethod((of, args) => (this.listen(of, args), of)) }),
      replaced(server, 'close', { value: asMethod((of, [done]) => (this.unlisten(of, done as () => void), of)) }),
      replaced(server, 'address', { value: asMethod((of) => this.addressOf(of)) }),
      replaced(server, 'listening', { get: asMethod((of) => this.addressOf(of) !== null) }),
      replaced(net.Socket, Symbol.hasInstance, {
        value: (made: unknown) => made instanceof WorldSocket || isReal(made),
      }),
    ];
    return () => undo.reverse().forEach((step) => step());
  }

  /** Whoever died listens no more, and its connections are cut. */
  bury(owner: Owner): void {
    for (const [port, listener] of this.listeners) if (listener.owner === owner) this.listeners.delete(port);
    for (const socket of [...this.open]) {
      if (socket.owner !== owner) continue;
      this.open.delete(socket);
      const { peer } = socket;
      socket.peer = null;
      if (peer) peer.peer = null;
      peer?.cut();
      dropParser(socket);
    }
  }

  /** The world has ended: Node holds nothing of it any more. */
  end(): void {
    for (const socket of this.open) dropParser(socket);
    this.open.clear();
    this.listeners.clear();
  }

  later(owner: Owner, run: () => void): void {
    this.schedule.after(this.random.between(0, this.profile.latency), 'packet', run, owner);
  }

  breaks(): boolean {
    const does = this.random.chance(this.profile.reset);
    if (does) this.onFault('reset');
    return does;
  }

  gone(socket: WorldSocket): void {
    this.open.delete(socket);
  }

  private connect(args: unknown[]): WorldSocket {
    const { port, done } = readConnect(args);
    const { current } = this.schedule;
    const socket = new WorldSocket(this, current);
    socket.connecting = true;
    if (done) socket.once('connect', done);
    this.open.add(socket);
    this.later(current, () => this.establish(socket, port));
    return socket;
  }

  private establish(socket: WorldSocket, port: number): void {
    if (socket.destroyed) return;
    const listener = this.listeners.get(port);
    socket.connecting = false;
    if (!listener || this.random.chance(this.profile.refuse)) {
      this.onFault('refused');
      const error = new Error(`connect ECONNREFUSED 127.0.0.1:${port}`);
      return void socket.destroy(Object.assign(error, { code: 'ECONNREFUSED' }));
    }
    const other = new WorldSocket(this, listener.owner);
    [socket.peer, other.peer] = [other, socket];
    [socket.remotePort, other.localPort] = [port, port];
    socket.localPort = other.remotePort = this.nextPort++;
    this.open.add(other);
    socket.emit('connect');
    other.isUnaccepted = true;
    this.later(listener.owner, () => {
      if (other.destroyed) return;
      listener.server.emit('connection', other);
      // Some servers listen to it in their next turn only; no system tells of an error before.
      this.schedule.turn('accepted', () => (other.isUnaccepted = false));
    });
  }

  private listen(server: net.Server, args: unknown[]): void {
    // What a dead program still does in the event of its death reaches nobody.
    if (!this.schedule.current.alive) return;
    const first = args[0];
    const wanted = typeof first === 'object' && first !== null ? (first as { port?: number }).port : first;
    const port = typeof wanted === 'number' && wanted > 0 ? wanted : this.nextPort++;
    const done = args.find((each) => typeof each === 'function') as (() => void) | undefined;
    if (done) server.once('listening', done);
    if (this.listeners.has(port)) {
      const error = Object.assign(new Error(`listen EADDRINUSE: port ${port}`), { code: 'EADDRINUSE', port });
      return void this.schedule.turn('listen', () => server.emit('error', error));
    }
    this.listeners.set(port, { server, owner: this.schedule.current });
    this.schedule.turn('listen', () => {
      server.emit('listening');
      stopChecks(server);
    });
  }

  private unlisten(server: net.Server, done?: () => void): void {
    const port = this.portOf(server);
    if (port !== null) this.listeners.delete(port);
    this.schedule.turn('close', () => {
      done?.();
      server.emit('close');
    });
  }

  private addressOf(server: net.Server): net.AddressInfo | null {
    const port = this.portOf(server);
    return port === null ? null : { address: '127.0.0.1', family: 'IPv4', port };
  }

  private portOf(server: net.Server): number | null {
    for (const [port, listener] of this.listeners) if (listener.server === server) return port;
    return null;
  }
}

/**
 * Node looks at the connections of an HTTP server by a timer of its own, which is not the world's, and holds the server
 * with all that belongs to it: that of a dead program, too.
 */
function stopChecks(server: net.Server): void {
  for (const name of Object.getOwnPropertySymbols(server)) {
    const value: unknown = Reflect.get(server, name);
    if (name.description === CHECKS && value) REAL.clearInterval(value as NodeJS.Timeout);
  }
}

/**
 * Node holds the parser of a connection with all that hangs on it until the connection ends, and one of the dead never
 * does. Not at once: it may be the one that is at work.
 */
function dropParser(socket: WorldSocket): void {
  const of = socket as { parser?: { remove(): void; close(): void } | null };
  const { parser } = of;
  if (!parser) return;
  of.parser = null;
  REAL.setImmediate(() => {
    parser.remove();
    parser.close();
  });
}

/** Stands for a server of TLS: in the world nobody listens on the wire, and what OpenSSL draws follows from no seed. */
class PlainTls extends EventEmitter {
  constructor() {
    super();
    this.on('connection', (socket) => this.emit('secureConnection', socket));
  }

  setSecureContext(): void {
    // There are no certificates.
  }
}

function readConnect(args: unknown[]): { port: number; done: (() => void) | undefined } {
  const first = args[0];
  const options = Array.isArray(first) ? (first as unknown[])[0] : first;
  const port = typeof options === 'object' && options !== null ? (options as { port: number }).port : Number(options);
  return { port: Number(port), done: args.find((each) => typeof each === 'function') as (() => void) | undefined };
}

/** A function whose `this` is the server. */
const asMethod = (call: (server: net.Server, args: unknown[]) => unknown) =>
  function (this: net.Server, ...args: unknown[]): unknown {
    return call(this, args);
  };
