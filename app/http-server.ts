import { readFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiServer } from '../api/http/api-server';
import type { Config } from './config';
import { listenError, StartError } from './start-error';

/** The HTTP listener of the REST API and the public pages. */
export class HttpServer {
  private readonly server: Server;
  /** Replaced before the first request can come in; the port is bound before there is a base URL to serve under. */
  private handler: RequestListener = (_req, res) => res.writeHead(503).end();

  constructor(private readonly config: Pick<Config, 'httpHost' | 'httpPort' | 'tls'>) {
    this.server = apiServer((req, res) => this.handler(req, res), config.tls && readTls(config.tls));
  }

  serve(handler: RequestListener): void {
    this.handler = handler;
  }

  /** Binds the port; answers the real one. Throws StartError. */
  listen(): Promise<number> {
    const { httpHost, httpPort } = this.config;
    return new Promise((resolve, reject) => {
      this.server.once('error', (error) => reject(listenError('REST API', httpPort, 'KURIR_HTTP_PORT', error)));
      this.server.listen(httpPort, httpHost, () => resolve((this.server.address() as AddressInfo).port));
    });
  }

  /** Takes no new request and lets those under way end for at most `graceMs`. */
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

function readTls({ certFile, keyFile }: NonNullable<Config['tls']>): { cert: string; key: string } {
  try {
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  } catch (error) {
    throw new StartError(`The TLS files (KURIR_TLS_CERT, KURIR_TLS_KEY) cannot be read: ${(error as Error).message}`);
  }
}
