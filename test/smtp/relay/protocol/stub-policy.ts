import type { Reply, SubmissionPolicy, Transaction } from '../../../../smtp/relay/protocol/policy';
import { reply } from '../../../../smtp/relay/protocol/reply';

export const USERNAME = 'kur000001';
const OTHER_USERNAME = 'kur000002';
export const PASSWORD = 'correct horse battery staple 123';
/** AUTH PLAIN with the right login. */
const authOf = (username: string): string =>
  `AUTH PLAIN ${Buffer.from(`\0${username}\0${PASSWORD}`).toString('base64')}`;
export const AUTH = authOf(USERNAME);
export const OTHER_AUTH = authOf(OTHER_USERNAME);

/** A mail as the policy got it. */
export interface TakenMail {
  sender: string;
  recipients: readonly string[];
  content: string;
}

/** Decides by the words in an address, and keeps what it got. */
export class StubPolicy implements SubmissionPolicy<string> {
  readonly mails: TakenMail[] = [];
  readonly transactions: Transaction<string>[] = [];
  /** What each question waits for. */
  wait: () => Promise<void> = () => Promise.resolve();
  /** Mails whose answer is not sent yet. */
  underWay = 0;

  async login({ username, password }: { username: string; password: string }) {
    await this.wait();
    if (username === 'broken') throw new Error('the store is gone');
    if ([USERNAME, OTHER_USERNAME].includes(username) && password === PASSWORD) return { login: username };
    return { refusal: reply(535, '5.7.8', 'Wrong user name or password') };
  }

  accountOf(login: string): string {
    return login;
  }

  async sender(_login: string, { address }: { address: string }): Promise<Reply | null> {
    await this.wait();
    return decide(address);
  }

  async recipient(_transaction: Transaction<string>, address: string): Promise<Reply | null> {
    await this.wait();
    return decide(address);
  }

  async mail(transaction: Transaction<string>, content: Buffer): Promise<Reply> {
    this.underWay += 1;
    await this.wait();
    this.underWay -= 1;
    const { sender, recipients } = transaction;
    if (content.includes('X-Fails')) throw new Error('the store is gone');
    this.transactions.push(transaction);
    this.mails.push({ sender: sender.address, recipients, content: content.toString('latin1') });
    return { code: 250, enhanced: '2.0.0', lines: recipients.map((_, i) => `message ${i + 1}`) };
  }
}

function decide(address: string): Reply | null {
  if (address.includes('fails')) throw new Error('the store is gone');
  if (address.includes('refused')) return reply(550, '5.7.1', 'Refused');
  if (address.includes('malformed')) return reply(553, '5.1.3', 'Malformed');
  if (address.includes('closed')) return reply(421, '4.3.2', 'Closed');
  return null;
}
