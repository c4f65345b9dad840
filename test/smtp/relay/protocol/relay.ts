import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TimeLimits } from '../../../../smtp/relay/protocol/limits';
import { RelayListener, type RelayOptions, type RelayPorts } from '../../../../smtp/relay/protocol/relay-listener';
import { selfSigned } from '../../../../smtp/relay/tls/self-signed';
import { AUTH, StubPolicy } from './stub-policy';

export const CERTIFICATE = selfSigned(['relay.test', 'localhost', '127.0.0.1'], Date.now());
const MB = 1_000_000;

/** A listener with a stub policy on free ports. */
export class TestRelay {
  readonly policy = new StubPolicy();
  private readonly listener: RelayListener<string>;
  private readonly clients: Client[] = [];
  ports: RelayPorts = { smtp: 0, smtps: 0 };

  private constructor(options: Partial<RelayOptions<string>>) {
    this.listener = new RelayListener({
      policy: this.policy,
      hostname: 'relay.test',
      host: '127.0.0.1',
      ports: { smtp: 0, smtps: 0 },
      certificate: CERTIFICATE,
      connections: { inAll: 100, perAddress: 100 },
      memory: 96 * MB,
      ...options,
    });
  }

  static async start(
    limits: Partial<TimeLimits> = {},
    options: Partial<RelayOptions<string>> = {},
  ): Promise<TestRelay> {
    const relay = new TestRelay({ ...options, limits: { beforeGreeting: 20, linger: 200, ...limits } });
    relay.ports = await relay.listener.listen();
    return relay;
  }

  useCertificate(pair: typeof CERTIFICATE): void {
    this.listener.useCertificate(pair);
  }

  /** A client on the port with STARTTLS, or under TLS from the start. */
  async client(secure = false): Promise<Client> {
    const client = await Client.connect(secure ? this.ports.smtps : this.ports.smtp, secure);
    this.clients.push(client);
    return client;
  }

  /** A client that is logged in, over TLS from the start. */
  async loggedIn(auth = AUTH): Promise<Client> {
    const client = await this.client(true);
    await client.reply();
    await client.ask('EHLO client.test');
    await client.ask(auth);
    return client;
  }

  close(): Promise<void> {
    return this.listener.close();
  }

  async remove(): Promise<void> {
    for (const client of this.clients) client.destroy();
    await this.close();
  }
}

/** A client that says what it is given, byte by byte if need be. */
export class Client {
  private text = '';
  private isClosed = false;
  private onChange: (() => void) | null = null;

  private constructor(public socket: Socket) {
    this.listen();
  }

  static async connect(port: number, secure: boolean): Promise<Client> {
    const socket = secure
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect({ port, host: '127.0.0.1' });
    // Before the connection is there, so that no byte is missed.
    const client = new Client(socket);
    await Promise.race([once(socket, secure ? 'secureConnect' : 'connect'), client.closed()]);
    return client;
  }

  send(text: string | Buffer): void {
    this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  }

  /** The next reply, its lines joined by `|`; `closed` when there is none. */
  async reply(): Promise<string> {
    for (;;) {
      const [whole] = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.text) ?? [];
      if (whole !== undefined) {
        this.text = this.text.slice(whole.length);
        return whole.trimEnd().split('\r\n').join('|');
      }
      if (this.isClosed) return 'closed';
      await new Promise<void>((resolve) => (this.onChange = resolve));
    }
  }

  ask(line: string): Promise<string> {
    this.send(`${line}\r\n`);
    return this.reply();
  }

  /** Everything until the connection is closed. */
  async rest(): Promise<string[]> {
    const replies: string[] = [];
    for (let reply = await this.reply(); reply !== 'closed'; reply = await this.reply()) replies.push(reply);
    return replies;
  }

  async closed(): Promise<void> {
    while (!this.isClosed) await new Promise<void>((resolve) => (this.onChange = resolve));
  }

  /** Sends STARTTLS and shakes hands. */
  async startTls(): Promise<string> {
    const answer = await this.ask('STARTTLS');
    this.socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('close');
    const secured = connectTls({ socket: this.socket, rejectUnauthorized: false });
    this.socket = secured;
    this.listen();
    await once(secured, 'secureConnect');
    return answer;
  }

  destroy(): void {
    this.socket.destroy();
  }

  private listen(): void {
    const close = (): void => {
      this.isClosed = true;
      this.onChange?.();
    };
    this.socket.on('data', (chunk: Buffer) => {
      this.text += chunk.toString('latin1');
      this.onChange?.();
    });
    this.socket.on('end', close).on('close', close);
    this.socket.on('error', () => undefined);
  }
}
