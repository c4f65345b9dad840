import { connect, type Socket } from 'node:net';

const TIMEOUT = 5_000;
/** The reply to what was sent last, once its last line is there. */
const LAST_LINE = /(?:^|\n)(\d{3} .*)\r\n$/;

/** Sends mails from the null sender over one connection, command by command, for as long as all goes well. */
export class Submitter {
  private socket: Socket | null = null;

  constructor(private readonly port: number) {}

  /** Sends one mail. Returns the last reply, or `000 ...` when none came. */
  async submit(to: string, mail: string): Promise<string> {
    const lines = ['MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA', `${mail}\r\n.`];
    let reply = '250 connected';
    if (!this.socket?.writable) {
      this.socket = connect(this.port, '127.0.0.1').setNoDelay(true);
      reply = await replyOf(this.socket);
      lines.unshift('EHLO sink.test');
    }
    for (const line of lines) {
      if (!/^[23]/.test(reply)) break;
      this.socket.write(`${line}\r\n`);
      reply = await replyOf(this.socket);
    }
    if (!reply.startsWith('250')) this.close();
    return reply;
  }

  close(): void {
    this.socket?.destroy();
    this.socket = null;
  }
}

/** The next reply of the server, or `000 ...` when none comes. */
function replyOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const end = (reply: string): void => {
      socket.removeAllListeners().setTimeout(0);
      // An error that comes while nobody asks must not end the process.
      socket.on('error', () => socket.destroy());
      resolve(reply);
    };
    socket.setTimeout(TIMEOUT);
    socket.once('timeout', () => end('000 no answer in time'));
    socket.once('error', (error) => end(`000 ${error.message}`));
    socket.once('close', () => end('000 the connection ended'));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const last = LAST_LINE.exec(text)?.[1];
      if (last !== undefined) end(last);
    });
  });
}
