import type { Socket } from 'node:net';

const CONTINUE = Buffer.from('HTTP/1.1 100');
const END = '\r\n\r\n';
/** More than this is left to the parser, bytes. */
const MAX_HELD = 16_384;

/**
 * Takes `100 Continue` out of what a socket reads. A server may send it before any answer, also unasked (RFC 9110,
 * section 15.2), but Undici closes the connection then. Returns a function to call before each request.
 */
export function skipContinue(socket: Socket): () => void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let isExpected = false;
  let held: Buffer = Buffer.alloc(0);
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size);
    if (!isExpected || chunk === null) return chunk;
    const bytes = withoutContinue(Buffer.concat([held, chunk]));
    isExpected = bytes.length === 0 || (isContinue(bytes) && bytes.length <= MAX_HELD);
    held = isExpected ? bytes : Buffer.alloc(0);
    return isExpected ? null : bytes;
  };
  return () => {
    isExpected = true;
    held = Buffer.alloc(0);
  };
}

/** True for the beginning of such an answer, however little of it has arrived. */
const isContinue = (bytes: Buffer): boolean => {
  const length = Math.min(bytes.length, CONTINUE.length);
  return bytes.compare(CONTINUE, 0, length, 0, length) === 0;
};

function withoutContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.length > 0 && isContinue(rest)) {
    const end = rest.indexOf(END);
    if (end === -1) break;
    rest = rest.subarray(end + END.length);
  }
  return rest;
}
