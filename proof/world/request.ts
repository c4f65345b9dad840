import http from 'node:http';
import net from 'node:net';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  /** The same as it came. */
  text: string;
}

export interface Asked {
  method?: string;
  key?: string;
  headers?: Readonly<Record<string, string>>;
  body?: object;
  /** The fields of a form, in place of a body. */
  form?: Readonly<Record<string, string>>;
  /** ms */
  patience?: number;
}

/** One HTTP request over a connection of its own. Null if no whole answer came: nobody knows what became of it. */
export function ask(
  port: number,
  path: string,
  { method, key, headers, body, form, patience = 10_000 }: Asked,
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const request = http.request({
      method: method ?? (body || form ? 'POST' : 'GET'),
      path,
      headers: {
        host: `127.0.0.1:${port}`,
        'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36',
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      createConnection: () => net.connect({ port, host: '127.0.0.1' }),
    });
    const end = (answer: Answer | null): void => {
      clearTimeout(timer);
      request.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end(null), patience);
    request.on('error', () => end(null));
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('aborted', () => end(null));
      response.on('error', () => end(null));
      response.on('end', () => end(read(response.statusCode ?? 0, Buffer.concat(parts).toString('utf8'))));
    });
    request.end(form ? new URLSearchParams(form).toString() : body && JSON.stringify(body));
  });
}

function read(status: number, text: string): Answer {
  try {
    const value = JSON.parse(text) as unknown;
    return { status, text, body: (typeof value === 'object' && value !== null ? value : { value }) as Answer['body'] };
  } catch {
    return { status, text, body: {} };
  }
}
