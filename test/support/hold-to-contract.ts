import { afterEach } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiContract } from './api-contract';

type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;
type Write = (...args: unknown[]) => unknown;

const breaches: string[] = [];
let contract: ApiContract | undefined;

// In every test file that imports this, the test that caused the answer fails.
afterEach(() => {
  const found = breaches.splice(0);
  if (found.length > 0) throw new Error(`The API broke its own document.\n${found.join('\n')}`);
});

/** Forwards requests and checks the answers against the API document: status, headers, and no undocumented fields. */
export function holdToContract(handler: Handler): Handler {
  const known = (contract ??= new ApiContract());
  return (req, res) => {
    const chunks: Buffer[] = [];
    const listen = (write: Write, last: boolean): Write => {
      return (...args) => {
        const [chunk] = args;
        if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) chunks.push(Buffer.from(chunk as string));
        if (last) judge(known, req, res, Buffer.concat(chunks).toString('utf8'));
        return write.apply(res, args);
      };
    };
    res.write = listen(res.write.bind(res) as Write, false) as typeof res.write;
    res.end = listen(res.end.bind(res) as Write, true) as typeof res.end;
    return handler(req, res);
  };
}

function judge(known: ApiContract, req: IncomingMessage, res: ServerResponse, body: string): void {
  // The caller closed the connection: nothing was answered.
  if (req.destroyed && !req.complete) return;
  const { method = '', url: target = '' } = req;
  const breach = known.breach({ method, target, status: res.statusCode, headers: res.getHeaders(), body });
  if (breach !== null) breaches.push(breach);
}
