import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../lib/logger';
import type { Config } from '../../operations/config/config';
import { listenAddress } from '../../operations/config/origin';
import type { Health } from '../core/health';
import type { Part } from '../core/part';
import { listenError } from '../../lib/start-error';
import type { Metrics } from './metrics';

/** How often a port that is taken is tried again, ms of real time. */
const TRY_EVERY = 10_000;
const REQUEST_LIMIT = 10_000;

export interface MetricsPartOptions {
  config: Pick<Config, 'httpHost' | 'metricsPort'>;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Answers `/readyz` with all it knows: this port is for the operator. */
  health: Pick<Health, 'answerReady'>;
  /** Called with the real port once it listens. */
  onListen: (port: number) => void;
  tryEvery?: number;
}

/**
 * `/metrics`, and `/readyz` with its reasons, on a port of its own. Mail does not wait for it: while the port is taken
 * the log says so, and it is tried again (docs/decisions/0056-metrics-are-counted-at-the-stores-answer.md). Any
 * other fault of the port ends the start.
 */
export function metricsPart(metrics: Metrics, options: MetricsPartOptions): Part {
  const { config, logger, health, onListen, tryEvery = TRY_EVERY } = options;
  const { metricsPort: port } = config;
  const server = metricsServer(metrics, { logger, health });
  let timer: NodeJS.Timeout | null = null;
  let warned = false;
  const attempt = async (): Promise<void> => {
    try {
      onListen(await listen(server, port, listenAddress(config)));
      if (warned) logger.info({ port }, 'the metrics port is free now: Prometheus can read the metrics');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (!warned) logger.warn({ port }, busy(port));
      warned = true;
      timer = setTimeout(() => void attempt().catch((err: unknown) => logger.error({ err }, 'no metrics')), tryEvery);
      timer.unref();
    }
  };
  return {
    name: 'metrics',
    start: async () => {
      try {
        await attempt();
      } catch (error) {
        metrics.stop();
        throw listenError('metrics', port, 'KURIR_METRICS_PORT', error);
      }
    },
    stop: async () => {
      if (timer) clearTimeout(timer);
      metrics.stop();
      await close(server);
    },
  };
}

const busy = (port: number): string =>
  `port ${port} (metrics) is in use, so the metrics of this process cannot be read: free the port, set KURIR_METRICS_PORT to another one, or to 0 to turn metrics off; trying again every 10 seconds`;

function metricsServer(metrics: Metrics, { logger, health }: Pick<MetricsPartOptions, 'logger' | 'health'>): Server {
  const server = createServer((req, res) => {
    const path = (req.url ?? '').split('?', 1)[0];
    if (path === '/readyz') return void health.answerReady(req, res, true);
    if (path !== '/metrics') return void res.writeHead(404).end('Not found. Available: /metrics and /readyz.\n');
    if (req.method !== 'GET' && req.method !== 'HEAD') return void res.writeHead(405, { Allow: 'GET, HEAD' }).end();
    metrics.text().then(
      (text) => {
        res.writeHead(200, { 'Content-Type': metrics.contentType, 'Content-Length': Buffer.byteLength(text) });
        res.end(req.method === 'HEAD' ? undefined : text);
      },
      (err: unknown) => {
        logger.error({ err }, 'the metrics could not be read');
        res.writeHead(500).end('The metrics could not be read.\n');
      },
    );
  });
  server.requestTimeout = REQUEST_LIMIT;
  return server;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const listening = (): void => {
      server.removeListener('error', failed);
      resolve((server.address() as AddressInfo).port);
    };
    const failed = (error: Error): void => {
      server.removeListener('listening', listening);
      reject(error);
    };
    server.once('error', failed).once('listening', listening).listen(port, host);
  });
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
