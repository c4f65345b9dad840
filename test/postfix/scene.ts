import { freePorts } from '../../proof/crash/free-ports';
import { Postfix } from '../../proof/crash/postfix/postfix';
import { Receiver, type Script } from '../../proof/crash/postfix/receiver';
import { Running } from '../support/running';

const NEVER = Infinity;
/** What the recipients' server says to each local part, in so many tries. */
const SAYS: Readonly<Record<string, readonly [reply: string, tries: number]>> = {
  unknown: ['550 5.1.1 No such user here', NEVER],
  full: ['552 5.2.2 Mailbox full', NEVER],
  blocked: ['554 5.7.1 Service unavailable; Client host blocked using zen.spamhaus.org', NEVER],
  later: ['451 4.7.1 Try again later', 6],
  never: ['451 4.3.0 Not today', NEVER],
  unavailable: ['450 4.2.0 Requested mail action not taken: mailbox unavailable', NEVER],
  nobody: ['450 4.1.1 User unknown in local recipient table', NEVER],
};

const script: Script = (to, n) => {
  const [reply, tries] = SAYS[to.replace(/[+@].*$/, '')] ?? ['', 0];
  return n <= tries ? reply : null;
};

/**
 * The whole program before a real Postfix with the configuration of docs/postfix.md, which sends to a scripted server.
 */
export class Scene {
  private constructor(
    readonly kurir: Running,
    readonly postfix: Postfix,
    readonly receiver: Receiver,
  ) {}

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<Scene> {
    const receiver = new Receiver(script);
    const port = await receiver.listen();
    const [bounces = 0, nothing = 0] = await freePorts(2);
    const routes = {
      'good.test': `smtp:[127.0.0.1]:${port}`,
      'large.test': `slow:[127.0.0.1]:${port}`,
      'down.test': `smtp:[127.0.0.1]:${nothing}`,
      'bounce.demo.kurir.test': `smtp:[127.0.0.1]:${bounces}`,
    };
    const postfix = await Postfix.start({ routes, settings });
    const kurir = await Running.start({
      KURIR_DEMO: 'true',
      KURIR_MTA_URL: postfix.url,
      KURIR_POSTFIX_LOG: postfix.log,
      KURIR_BOUNCE_PORT: String(bounces),
    });
    return new Scene(kurir, postfix, receiver);
  }

  async close(): Promise<void> {
    await this.kurir.stop();
    this.postfix.stop();
    this.receiver.close();
  }
}
