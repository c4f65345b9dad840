import { createServer, ServerResponse, STATUS_CODES } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerOptions } from 'node:http';
import { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../errors';

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

/** The status for bytes that Node could not read as a request, by Node's error code. */
const UNREADABLE: ReadonlyMap<string | undefined, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** The function that `Koa.callback()` returns; it never rejects. */
type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

/**
 * Creates the HTTP server for the API, not yet listening. Unreadable requests also get a JSON response
 * (docs/contract.md#answers). With `tls` (PEM) it serves HTTPS.
 */
export function apiServer(handler: Handler, tls: { cert: string; key: string } | null = null): Server {
  const listener: RequestListener = (req, res) => void handler(req, res);
  const server = tls ? createTlsServer({ ...OPTIONS, ...tls }, listener) : createServer(OPTIONS, listener);
  server.on('clientError', answerClientError);
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
