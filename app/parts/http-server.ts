import { readFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../api/errors';
import { apiServer } from '../../api/http/api-server';
import type { Config } from '../config/config';
import type { Health } from './health';
import { listenError, StartError } from '../start-error';

/** The HTTP listener of the REST API and the public pages. It answers health checks from the first moment. */
export class HttpServer {
  private readonly server: Server;
  /** Replaced once the program is ready to serve. The port is bound first, since the base URL depends on it. */
  private handler: RequestListener = starting;

  constructor(
    private readonly config: Pick<Config, 'httpHost' | 'httpPort' | 'tls'>,
    health: Health,
  ) {
    const serve = health.serve((req, res) => this.handler(req, res));
    this.server = apiServer(serve, config.tls && readTls(config.tls));
  }

  serve(handler: RequestListener): void {
    this.handler = handler;
  }

  /** Binds the port and resolves with the real one. Throws StartError. */
  listen(): Promise<number> {
    const { httpHost, httpPort } = this.config;
    return new Promise((resolve, reject) => {
      this.server.once('error', (error) => reject(listenError('REST API', httpPort, 'KURIR_HTTP_PORT', error)));
      this.server.listen(httpPort, httpHost, () => resolve((this.server.address() as AddressInfo).port));
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

const starting: RequestListener = (_req, res) => {
  res.writeHead(503, { 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '1', Connection: 'close' });
  res.end(`${JSON.stringify(new ApiError('starting').body)}\n`);
};

function readTls({ certFile, keyFile }: NonNullable<Config['tls']>): { cert: string; key: string } {
  try {
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  } catch (error) {
    throw new StartError(`The TLS files (KURIR_TLS_CERT, KURIR_TLS_KEY) cannot be read: ${(error as Error).message}`);
  }
}
