/** The part of autocannon that the benches use. */
declare module 'autocannon' {
  interface Request {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
    setupRequest?(request: Request): Request;
  }
  interface Options {
    url: string;
    connections: number;
    duration?: number;
    amount?: number;
    requests: Request[];
  }
  interface Result {
    '2xx': number;
    non2xx: number;
    errors: number;
    /** Seconds. */
    duration: number;
    /** Milliseconds. */
    latency: { p50: number; p99: number; max: number };
  }
  function autocannon(options: Options): Promise<Result>;
  export = autocannon;
}
