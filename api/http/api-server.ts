import { createServer, ServerResponse } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerOptions } from 'node:http';
import { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { CountByAddress } from '../rate-limit/rate-headers';
import { Connections } from './connections';
import { namesTwoHosts } from './served-hosts';
import { unreadableAnswer, unreadableStatus } from './unreadable-request';

/** Timeouts against callers that send slowly or never finish; network timeouts, so not from the service clock. */
const OPTIONS: ServerOptions = {
  headersTimeout: 15_000,
  // 20 MB at 2 Mbit/s take 80 s.
  requestTimeout: 120_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  // Node would send an empty 400; a request without a host gets the 404 of an unserved host.
  requireHostHeader: false,
};

/** The function that `Koa.callback()` returns; it never rejects. */
type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

interface ApiServerOptions {
  /** Counts the requests that cannot be read, for the rate headers of their responses. */
  count: CountByAddress;
  /** PEM; with it the server speaks HTTPS. */
  tls?: { cert: string; key: string } | null;
}

/**
 * Creates the HTTP server for the API, not yet listening. Unreadable requests also get a JSON response
 * (docs/contract.md#answers), after the responses to all requests before them on the connection.
 */
export function apiServer(handler: Handler, { count, tls = null }: ApiServerOptions): Server {
  const connections = new Connections();
  const refuse = (socket: Duplex, status: number): void => {
    const address = (socket instanceof Socket && socket.remoteAddress) || '';
    void connections.close(socket, async () => unreadableAnswer(status, await count(address)));
  };
  const listener: RequestListener = (req, res) => {
    // RFC 9112 section 3.2; Node reads the first and drops the others.
    if (namesTwoHosts(req)) refuse(req.socket, 400);
    else if (connections.admit(req, res)) void handler(req, res);
  };
  const server = tls ? createTlsServer({ ...OPTIONS, ...tls }, listener) : createServer(OPTIONS, listener);
  // A caller may end its side after its request and still wait for the response. Node has no declared option for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) socket.destroy();
    else refuse(socket, unreadableStatus(error));
  });
  // Ignore expectations other than 100-continue, as RFC 9110 allows: Node would send an empty 417.
  server.on('checkExpectation', listener);
  server.on('connect', (req, socket) => answerConnect(req, socket, listener));
  return server;
}

/** No tunnels: CONNECT gets a normal response, and the connection is closed. Node leaves the whole response to us. */
function answerConnect(req: IncomingMessage, socket: Duplex, listener: RequestListener): void {
  // It is always a socket, of TCP or TLS; only the declared type is wider.
  if (!(socket instanceof Socket)) return void socket.destroy();
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  socket.on('error', () => socket.destroy());
  res.on('finish', () => socket.destroySoon());
  listener(req, res);
}
