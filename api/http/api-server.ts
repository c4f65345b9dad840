import { createServer, ServerResponse, STATUS_CODES } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerOptions } from 'node:http';
import { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../errors';

/** Times against callers that send slowly or never end; of the network, so not from the clock. */
const OPTIONS: ServerOptions = {
  headersTimeout: 15_000,
  // 20 MB at 2 Mbit/s take 80 s.
  requestTimeout: 120_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  // Node would answer an empty 400; without a host it is the 404 of one that is not served.
  requireHostHeader: false,
};

/** What is wrong with bytes that Node could not read as a request, by its error code. */
const UNREADABLE: ReadonlyMap<string | undefined, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** What `Koa.callback()` gives; it never rejects. */
type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

/**
 * The HTTP server to run the API on, not yet listening. Even what never becomes a request is answered in JSON
 * (docs/contract.md#answers). With `tls` (PEM) it speaks HTTPS.
 */
export function apiServer(handler: Handler, tls: { cert: string; key: string } | null = null): Server {
  const listener: RequestListener = (req, res) => void handler(req, res);
  const server = tls ? createTlsServer({ ...OPTIONS, ...tls }, listener) : createServer(OPTIONS, listener);
  server.on('clientError', answerClientError);
  // Other expectations than 100-continue: Node would answer an empty 417, and RFC 9110 lets us ignore them.
  server.on('checkExpectation', listener);
  server.on('connect', (req, socket) => answerConnect(req, socket, listener));
  return server;
}

/** No tunnels: CONNECT is answered like any request, and the connection closed. Node leaves the whole answer to us. */
function answerConnect(req: IncomingMessage, socket: Duplex, listener: RequestListener): void {
  // It always is one, of TCP or TLS; only its declared type promises less.
  if (!(socket instanceof Socket)) return void socket.destroy();
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  socket.on('error', () => socket.destroy());
  res.on('finish', () => socket.destroySoon());
  listener(req, res);
}

function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = UNREADABLE.get(error.code) ?? 400;
  const reason = STATUS_CODES[status] ?? '';
  const code: ErrorCode = 'unreadable_request';
  const body = JSON.stringify({ message: `${reason}.`, code });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
