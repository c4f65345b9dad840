import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { inlineBodyParser, type BodyParser } from '../../api/http/body-parser';
import { WorkerBodyParser } from '../../api/http/worker-body-parser';
import { countByAddress, type CountByAddress } from '../../api/rate-limit/rate-headers';
import type { Part } from '../core/part';
import type { Services } from '../shared-services';
import { pass, serveDashboard, serveWeb, type WebParts } from './web';

/** Time for running HTTP requests when the program stops, ms. */
const HTTP_GRACE = 2_000;

/** An HTTP port that is already listening. */
export interface WebServer {
  serve(handler: RequestListener, count: CountByAddress): void;
  close(graceMs: number): Promise<void>;
}

type WebOptions = Pick<WebParts, 'sandbox'> & Partial<Pick<WebParts, 'httpApps'>>;

/** What the roles of this process serve on its HTTP port. Until then the port answers only health checks. */
export function webPart(services: Services, http: WebServer, { sandbox, httpApps = () => pass }: WebOptions): Part {
  const bodyParser = openBodyParser(services);
  return {
    name: 'http',
    start: async () => {
      const listener = serveWeb(services, { sandbox, bodyParser, httpApps });
      http.serve(services.metrics?.traffic.measured(listener) ?? listener, countByAddress(services.rateLimiter));
    },
    stop: async () => {
      try {
        await http.close(HTTP_GRACE);
      } finally {
        await bodyParser.close();
      }
    },
  };
}

/** What the dashboard's own port serves. */
export const dashboardPart = (services: Services, http: WebServer, httpApps: WebParts['httpApps']): Part => ({
  name: 'dashboard',
  start: async () => {
    const listener = serveDashboard(services, httpApps);
    http.serve(services.metrics?.traffic.measured(listener) ?? listener, countByAddress(services.rateLimiter));
  },
  stop: () => http.close(HTTP_GRACE),
});

function openBodyParser({ programs, logger }: Services): BodyParser {
  if (programs === null) return inlineBodyParser;
  return new WorkerBodyParser(join(programs, 'body-worker.js'), (err) =>
    logger.error({ err }, 'the body worker stopped; the next large request starts a new one'),
  );
}
