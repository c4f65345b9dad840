import { readFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../api/errors';
import { apiServer } from '../../api/http/api-server';
import { fullWindow, rateHeaders, type CountByAddress } from '../../api/rate-limit/rate-headers';
import type { Config } from '../../operations/config/config';
import type { Health } from '../core/health';
import { listenError, StartError } from '../../lib/start-error';

/** A port that is served by HTTP, for messages about it. */
export interface HttpPort {
  port: number;
  of: string;
  name: string;
}

/**
 * The HTTP listener of the REST API and the public pages, or of the dashboard. It answers health checks from the first
 * moment.
 */
export class HttpServer {
  private readonly server: Server;
  /** Replaced once the program is ready to serve. The port is bound first, since the base URL depends on it. */
  private handler: RequestListener;
  private count: CountByAddress;

  constructor(
    private readonly config: Pick<Config, 'httpHost' | 'tls' | 'apiRatePerMinute' | 'trustedHops'>,
    private readonly at: HttpPort,
    health: Health,
  ) {
    const { apiRatePerMinute, tls, trustedHops } = config;
    this.handler = answerStarting(apiRatePerMinute);
    this.count = fullWindow(apiRatePerMinute);
    const serve = health.serve((req, res) => this.handler(req, res), trustedHops);
    this.server = apiServer(serve, { count: (address) => this.count(address), tls: tls && readTls(tls) });
  }

  /** From now on, `handler` answers the requests and `count` counts those that cannot be read. */
  serve(handler: RequestListener, count: CountByAddress): void {
    this.handler = handler;
    this.count = count;
  }

  /** Binds the port and resolves with the real one. Throws StartError. */
  listen(): Promise<number> {
    const { httpHost } = this.config;
    const { port, of, name } = this.at;
    return new Promise((resolve, reject) => {
      this.server.once('error', (error) => reject(listenError(of, port, name, error)));
      this.server.listen(port, httpHost, () => resolve((this.server.address() as AddressInfo).port));
    });
  }

  /** Accepts no new requests and gives running ones at most `graceMs` to finish. */
  close(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.server.closeAllConnections(), graceMs);
      this.server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      this.server.closeIdleConnections();
    });
  }
}

/** Nothing is counted before the service has started, so every caller has its full window. */
function answerStarting(limit: number): RequestListener {
  const body = `${JSON.stringify(new ApiError('starting').body)}\n`;
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Retry-After': '1',
    ...rateHeaders({ limit, remaining: limit }),
    Connection: 'close',
  };
  return (_req, res) => void res.writeHead(503, headers).end(body);
}

function readTls({ certFile, keyFile }: NonNullable<Config['tls']>): { cert: string; key: string } {
  try {
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  } catch (error) {
    throw new StartError(`The TLS files (KURIR_TLS_CERT, KURIR_TLS_KEY) cannot be read: ${(error as Error).message}`);
  }
}
