import type { RequestListener } from 'node:http';
import type { Sandbox } from '../../sandbox/sandbox';
import type { Part } from './part';
import type { Services } from '../services';
import { serveWeb } from './web';

/** Time for HTTP requests under way when the program stops, ms. */
const HTTP_GRACE = 2_000;

/** An HTTP port that listens already. */
export interface WebServer {
  serve(handler: RequestListener): void;
  close(graceMs: number): Promise<void>;
}

/** What the roles of this process serve on its HTTP port, which answered for its health alone until then. */
export function webPart(services: Services, http: WebServer, sandbox: Sandbox | null): Part {
  return {
    name: 'http',
    start: async () => http.serve(serveWeb(services, sandbox)),
    stop: () => http.close(HTTP_GRACE),
  };
}
