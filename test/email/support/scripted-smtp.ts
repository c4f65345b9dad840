import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What the server does at a step: a reply, lines joined by `\n`, or anything done to the socket. */
export type Step = string | ((socket: Socket, line: string) => void);

/** The steps of one connection; what is left out is answered as a willing server would. */
export interface Script {
  greeting?: Step;
  ehlo?: Step;
  auth?: Step;
  mail?: Step;
  rcpt?: Step;
  data?: Step;
  /** After each piece of the body, with the bytes so far. */
  body?: (socket: Socket, bytes: number) => void;
  dot?: Step;
  rset?: Step;
  quit?: Step;
}

export const silent: Step = () => undefined;
export const drop: Step = (socket) => void socket.destroy();
export const reset: Step = (socket) => void socket.resetAndDestroy();

const WILLING: Required<Omit<Script, 'body'>> = {
  greeting: '220 mx.test ESMTP',
  ehlo: '250-mx.test\n250-PIPELINING\n250-SIZE 20000000\n250-DSN\n250 8BITMIME',
  auth: '235 welcome',
  mail: '250 sender ok',
  rcpt: '250 recipient ok',
  data: '354 go ahead',
  dot: '250 2.0.0 queued as ABC',
  rset: '250 reset',
  quit: '221 bye',
};

/**
 * A raw SMTP server on loopback that follows a script to the letter and keeps what it saw. What is sent behind the end
 * of a mail waits until that mail was answered for: replies come in order (RFC 2920 section 3.2).
 */
export class ScriptedSmtp {
  /** Command lines of all connections in order, `DATA-END` for each final dot. */
  readonly commands: string[] = [];
  /** Complete bodies, with the doubled dots. */
  readonly bodies: string[] = [];
  /** Body bytes that arrived, complete or not. */
  bodyBytes = 0;
  connections = 0;
  /** Told each piece as it arrives. */
  onChunk: (text: string) => void = () => undefined;
  open = 0;
  mostOpen = 0;

  private constructor(
    private readonly server: Server,
    private readonly scriptOf: (connection: number) => Script,
  ) {
    server.on('connection', (socket) => this.serve(socket));
  }

  /** `script` may differ by connection, counted from 1. */
  static async start(script: Script | ((connection: number) => Script) = {}): Promise<ScriptedSmtp> {
    const server = createServer({ noDelay: true });
    const scripted = new ScriptedSmtp(server, typeof script === 'function' ? script : () => script);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => {
      this.server.close(resolve);
      for (const socket of this.sockets) socket.destroy();
    });
  }

  private readonly sockets = new Set<Socket>();

  private serve(socket: Socket): void {
    const steps = { ...WILLING, ...this.scriptOf(++this.connections) };
    this.sockets.add(socket);
    this.mostOpen = Math.max(this.mostOpen, ++this.open);
    socket.on('close', () => {
      this.open--;
      this.sockets.delete(socket);
    });
    socket.on('error', () => undefined);
    const play = (step: Step, line = ''): void => {
      if (typeof step === 'function') step(socket, line);
      else if (!socket.destroyed) socket.write(`${step.replaceAll('\n', '\r\n')}\r\n`);
    };
    let buffer = '';
    let inBody = false;
    let unanswered = false;
    const playDot = (step: Step): void => {
      if (typeof step === 'string') return play(step);
      unanswered = true;
      const write = socket.write.bind(socket);
      socket.write = (text: string) => {
        socket.write = write;
        unanswered = false;
        write(text);
        setImmediate(proceed);
        return true;
      };
      step(socket, '');
    };
    const proceed = (): void => {
      while (!unanswered && !socket.destroyed) {
        if (inBody) {
          const end = ('\r\n' + buffer).indexOf('\r\n.\r\n');
          steps.body?.(socket, this.bodyBytes);
          if (end < 0) return;
          this.bodies.push(buffer.slice(0, end));
          buffer = buffer.slice(end + 3);
          inBody = false;
          this.commands.push('DATA-END');
          playDot(steps.dot);
          continue;
        }
        const newline = buffer.indexOf('\r\n');
        if (newline < 0) return;
        const line = buffer.slice(0, newline);
        buffer = buffer.slice(newline + 2);
        this.commands.push(line);
        const verb = line.split(' ', 1)[0]!.toLowerCase();
        if (verb === 'ehlo' || verb === 'helo') play(steps.ehlo, line);
        else if (verb === 'data') {
          inBody = typeof steps.data === 'string' ? /^[23]/.test(steps.data) : true;
          play(steps.data, line);
          if (inBody) this.bodyBytes += buffer.length;
        } else if (verb in steps) play(steps[verb as 'mail'], line);
        else play('500 what?');
      }
    };
    socket.on('data', (chunk) => {
      buffer += chunk.toString('latin1');
      this.onChunk(chunk.toString('latin1'));
      if (inBody) this.bodyBytes += chunk.length;
      proceed();
    });
    play(steps.greeting);
  }
}
