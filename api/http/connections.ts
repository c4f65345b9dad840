import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long a closed connection still discards what its caller sends, ms. */
const LINGER_MS = 10_000;

interface Owed {
  req: IncomingMessage;
  res: ServerResponse;
}

interface Connection {
  /** Requests whose responses are not sent yet. */
  owed: Set<Owed>;
  closing: boolean;
}

/**
 * Remembers which responses each connection still owes, so that a connection is never closed before them: a caller that
 * misses the 201 of its message would send it again.
 */
export class Connections {
  private readonly known = new WeakMap<Duplex, Connection>();

  /** Notes a request that will be answered. False when its connection is about to close: it must not be handled. */
  admit(req: IncomingMessage, res: ServerResponse): boolean {
    const connection = this.of(req.socket);
    if (connection.closing) return false;
    const owed = { req, res };
    connection.owed.add(owed);
    res.once('close', () => connection.owed.delete(owed));
    return true;
  }

  /**
   * Closes a connection whose bytes cannot be read any further: first the owed responses, then the one of `lastAnswer`,
   * then the end. A request of which only a part arrived gets `lastAnswer` as its response, unless it is answered
   * without the rest. Repeated calls do nothing.
   */
  async close(socket: Duplex, lastAnswer: () => Promise<string>): Promise<void> {
    const connection = this.of(socket);
    if (connection.closing) return;
    connection.closing = true;
    keepOpen(socket);
    const owed = [...connection.owed];
    const partial = owed.find(({ req }) => !req.complete);
    const gone = new Promise<void>((resolve) => socket.once('close', resolve));
    const [answer] = await Promise.all([lastAnswer(), Promise.race([gone, sent(owed, partial)])]);
    if (partial?.res.headersSent) {
      if (connection.owed.has(partial)) await Promise.race([gone, endAnswered(partial)]);
    } else if (socket.writable) socket.write(answer);
    endSlowly(socket);
  }

  private of(socket: Duplex): Connection {
    const known = this.known.get(socket);
    if (known) return known;
    const connection = { owed: new Set<Owed>(), closing: false };
    this.known.set(socket, connection);
    return connection;
  }
}

/** Keeps Node from closing the connection on its own account, which could cut off an owed response. */
function keepOpen(socket: Duplex): void {
  // Node ends the connection when the caller ends its side.
  socket.removeAllListeners('end');
  // Node calls this after the response to a request with `Connection: close`.
  if (socket instanceof Socket) socket.destroySoon = () => endSlowly(socket);
}

async function sent(owed: readonly Owed[], partial: Owed | undefined): Promise<void> {
  await Promise.all(owed.filter((each) => each !== partial).map(({ res }) => closed(res)));
  if (partial) await answeredOrWaiting(partial);
}

function closed(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => void res.once('close', resolve));
}

/** Lets a response end that waits for the rest of its request's body, to discard it. */
function endAnswered({ req, res }: Owed): Promise<void> {
  const ended = closed(res);
  // Node would take an incomplete request for an aborted one, and destroy its connection.
  req.complete = true;
  req.push(null);
  return ended;
}

/** Resolves once a partial request is answered, or its handler waits for a body that will not come. */
function answeredOrWaiting({ req, res }: Owed): Promise<void> {
  return new Promise((resolve) => {
    // A handler that stopped reading, such as after too many bytes, answers before the event loop goes on.
    const soon = (): void => void setImmediate(resolve);
    if (res.headersSent || req.readableFlowing !== null) soon();
    else req.once('resume', soon);
    res.once('close', resolve);
  });
}

/** Ends our side, and discards what still arrives: closing on unread data would reset the connection. */
function endSlowly(socket: Duplex): void {
  if (socket.destroyed || socket.writableEnded) return;
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
