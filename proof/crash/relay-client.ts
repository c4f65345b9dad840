import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { sleep } from '../../lib/sleep';
import type { Offer } from './caller';

/** A client that gets no reply gives up, ms. */
const PATIENCE = 10_000;
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const HTML = '<p>Halo {{nama|Kak}}, <a href="https://toko.example/pesanan">pesanan Anda</a>.</p>';

/**
 * Hands in one mail for all offers, over TLS from the start; their ids are set once it is taken. The offers have one
 * sender, and the key of the first is the Message-ID. `onDot` is called once the final dot is written. False when the
 * mail is to be sent again: no answer came, or one that says so. Throws on an answer that sending again cannot change.
 */
export async function takeByRelay(port: number, offers: readonly Offer[], onDot?: () => void): Promise<boolean> {
  const dialogue = await Dialogue.open(port);
  if (!dialogue) return false;
  try {
    const reply = await dialogue.send(offers, onDot);
    if (reply === null || reply.startsWith('4')) return false;
    if (!reply.startsWith('250')) throw new Error(`The relay answered ${reply}`);
    const ids = reply.match(ID) ?? [];
    if (ids.length !== offers.length) throw new Error(`The relay answered ${ids.length} ids: ${reply}`);
    offers.forEach((offer, n) => (offer.id = ids[n]!));
    return true;
  } finally {
    dialogue.close();
  }
}

class Dialogue {
  private received = '';
  private ended = false;
  private wake: () => void = () => undefined;

  private constructor(private readonly socket: TLSSocket) {
    socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString();
      this.wake();
    });
    const end = (): void => {
      this.ended = true;
      this.wake();
    };
    socket.on('error', end).on('close', end);
  }

  /** Null when nothing listens. */
  static async open(port: number): Promise<Dialogue | null> {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    const dialogue = new Dialogue(socket);
    // Either wait rejects on an error.
    await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')]).catch(() => undefined);
    return dialogue.ended ? null : dialogue;
  }

  /** The reply to the first step that does not go on, or to the mail; null: none came. */
  async send([first, ...others]: readonly Offer[], onDot?: () => void): Promise<string | null> {
    const { smtp } = first!.sender;
    const login = Buffer.from(`\0${smtp.username}\0${smtp.password}`).toString('base64');
    const recipients = [first!, ...others].map(({ to }) => `RCPT TO:<${to}>`);
    const commands = ['EHLO crash.example', `AUTH PLAIN ${login}`, `MAIL FROM:<${smtp.from}>`, ...recipients, 'DATA'];
    const greeting = await this.reply();
    if (!greeting?.startsWith('220')) return greeting;
    for (const command of commands) {
      this.socket.write(`${command}\r\n`);
      const reply = await this.reply();
      if (!reply || !/^[23]/.test(reply)) return reply;
    }
    this.socket.write(mailOf(smtp.from, first!.key), () => onDot?.());
    return this.reply();
  }

  close(): void {
    this.socket.destroy();
  }

  /** All lines of the next reply; null when the connection ends before. */
  private async reply(): Promise<string | null> {
    const late = AbortSignal.timeout(PATIENCE);
    while (!this.ended && !late.aborted) {
      const found = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.received);
      if (found) {
        this.received = this.received.slice(found[0].length);
        return found[0];
      }
      await Promise.race([new Promise<void>((resolve) => (this.wake = resolve)), sleep(PATIENCE, late)]);
    }
    return null;
  }
}

const mailOf = (from: string, key: string): string =>
  [
    `From: Toko <${from}>`,
    'Subject: Halo',
    `Message-ID: <${key.replaceAll(' ', '.')}@crash.example>`,
    // Another one at each attempt, as a mail server on the way would write it.
    `Received: by crash.example; ${new Date().toUTCString()}`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    '',
    HTML,
    '.',
    '',
  ].join('\r\n');
