import type { RequestListener } from 'node:http';
import { countByAddress, type CountByAddress } from '../../api/rate-limit/rate-headers';
import type { Sandbox } from '../../sandbox/sandbox';
import type { Part } from './part';
import type { Services } from '../services';
import { serveWeb } from './web';

/** Time for running HTTP requests when the program stops, ms. */
const HTTP_GRACE = 2_000;

/** An HTTP port that is already listening. */
export interface WebServer {
  serve(handler: RequestListener, count: CountByAddress): void;
  close(graceMs: number): Promise<void>;
}

/** What the roles of this process serve on its HTTP port. Until then the port answers only health checks. */
export function webPart(services: Services, http: WebServer, sandbox: Sandbox | null): Part {
  return {
    name: 'http',
    start: async () => http.serve(serveWeb(services, sandbox), countByAddress(services.rateLimiter)),
    stop: () => http.close(HTTP_GRACE),
  };
}
