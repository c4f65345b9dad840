import { connect } from 'node:net';

const TIMEOUT = 5_000;

/** Sends one mail from the null sender, command by command. Returns the last reply, or `000 ...` when none came. */
export function submit(port: number, to: string, mail: string): Promise<string> {
  const lines = ['EHLO sink.test', 'MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA', `${mail}\r\n.`];
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = (reply: string): void => {
      socket.destroy();
      resolve(reply);
    };
    socket.setTimeout(TIMEOUT, () => end('000 no answer in time'));
    socket.on('error', (error) => end(`000 ${error.message}`));
    socket.on('close', () => resolve('000 the connection ended'));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const last = /(?:^|\n)(\d{3} .*)\r\n$/.exec(text)?.[1];
      if (last === undefined) return;
      text = '';
      const next = lines.shift();
      if (next === undefined || !/^[23]/.test(last)) end(last);
      else socket.write(`${next}\r\n`);
    });
  });
}
