import type { Socket } from 'node:net';
import { Client } from 'undici';
import { AnswerReader, type Answered } from './answer-reader';
import type { AttemptLimits } from './attempt-limits';
import { ConnectionClosed } from './describe-failure';
import { skipContinue } from './skip-continue';

/** All headers of an answer, bytes. */
const MAX_HEADERS = 16_384;
/** How long a connection without work stays open, ms; what the endpoint says in Keep-Alive counts if it is less. */
const IDLE_TIME = 10_000;
/** Codes of errors with which a connection goes away. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

export interface Post {
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** One HTTP/1.1 connection over a socket that is open already; it never opens another. One request at a time. */
export class Connection {
  private readonly client: Client;
  private readonly expectAnswer: () => void;
  private isIntact = true;

  /** `onClosed` is called once, whichever side closed it. */
  constructor(
    origin: string,
    private readonly socket: Socket,
    onClosed: (connection: Connection) => void,
  ) {
    this.expectAnswer = skipContinue(socket);
    let isHandedOver = false;
    this.client = new Client(origin, {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_TIME,
      keepAliveMaxTimeout: IDLE_TIME,
      maxHeaderSize: MAX_HEADERS,
      connect: (_options, callback) => {
        const isFirst = !isHandedOver;
        isHandedOver = true;
        // Not at once: the client is busy while it asks.
        queueMicrotask(() => (isFirst ? callback(null, socket) : callback(new ConnectionClosed('closed'), null)));
      },
    });
    socket.once('close', () => {
      this.close();
      onClosed(this);
    });
  }

  /** False once it cannot carry another request. */
  get isUsable(): boolean {
    return this.isIntact && !this.socket.destroyed;
  }

  close(): void {
    if (!this.isIntact) return;
    this.isIntact = false;
    void this.client.destroy().catch(() => undefined);
    this.socket.destroy();
  }

  /**
   * Sends a request. Resolves once the body of the answer was read, or as much of it as is allowed; the connection is
   * then usable only if that was all of it. Rejects with AttemptEnded, ConnectionClosed, or an error of the socket or
   * the parser, and the connection is closed.
   */
  post(request: Post, limits: AttemptLimits): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const reader = new AnswerReader((reading) => {
        limits.onEnd(null);
        if ('answer' in reading) {
          if (!reading.isComplete) this.close();
          resolve(reading.answer);
        } else {
          this.close();
          reject(isClosed(reading.error) ? new ConnectionClosed('closed', { cause: reading.error }) : reading.error);
        }
      });
      limits.onEnd((ended) => reader.stop(ended));
      if (!this.isIntact) return;
      this.expectAnswer();
      this.client.dispatch({ method: 'POST', ...request }, reader);
    });
  }
}

const isClosed = (error: NodeJS.ErrnoException): boolean => CLOSED.has(error.code ?? '');
