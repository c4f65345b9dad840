import type { Outside } from './actors';
import { bodyOf } from './mail-body';
import { ask } from './request';
import type { Account } from './template';

/** People who fill in public forms, confirm by mail, and enter journeys. */
export class Subscriber {
  private readonly asked: { account: Account; to: string }[] = [];
  private readonly enrolled: { account: Account; to: string }[] = [];

  constructor(private readonly outside: Outside) {}

  /** Fills in the form of an audience with double opt-in; some do it twice. */
  async fillIn(name: string): Promise<void> {
    const { random } = this.outside;
    const isAgain = this.asked.length > 0 && random.chance(0.2);
    // A mailbox gets few of these mails, whatever the tag of its address.
    const { account, to } = isAgain ? random.pick(this.asked) : this.newcomer('f', 'mailbox');
    if (!isAgain) this.asked.push({ account, to });
    const { id: audience, token } = account.double;
    await this.outside.insist('join', {
      name,
      value: { workspace: account.workspaceId, audience, to, double: true },
      path: `/f/${token}`,
      asked: { form: { email: to, consent: 'on' } },
      said: ({ status }) => ({ status }),
    });
  }

  /** Presses the button behind the link of a confirmation mail, again perhaps. */
  async confirm(name: string): Promise<void> {
    const { random, server } = this.outside;
    const who = new Map(this.asked.map((one) => [one.to, one.account]));
    const mails = server.mails.filter(({ to, source }) => who.has(to) && CONFIRM.test(bodyOf(source)));
    if (mails.length === 0) return;
    const { to, source } = random.pick(mails);
    const account = who.get(to)!;
    const path = CONFIRM.exec(bodyOf(source))?.[1] ?? '';
    if (random.chance(0.25)) return this.forge(path);
    await this.outside.insist('confirm', {
      name,
      value: { workspace: account.workspaceId, audience: account.double.id, to },
      path,
      asked: { form: {} },
      said: ({ status }) => ({ status }),
    });
  }

  /** Somebody changes the link, so that it would confirm other contacts; for those nobody has pressed anything. */
  private async forge(path: string): Promise<void> {
    for (const step of [-2, -1, 1, 2]) {
      const token = Buffer.from(path.slice('/c/'.length), 'base64url');
      token.writeUIntBE(Math.max(0, token.readUIntBE(IDS, 6) + step), IDS, 6);
      await ask(this.outside.ports.http, `/c/${token.toString('base64url')}`, { form: {} });
    }
  }

  /** Enters the journey that the API lets contacts enter; some do it twice. */
  async enroll(name: string): Promise<void> {
    const { random } = this.outside;
    const isAgain = this.enrolled.length > 0 && random.chance(0.2);
    const { account, to } = isAgain ? random.pick(this.enrolled) : this.newcomer('j');
    if (!isAgain) this.enrolled.push({ account, to });
    const journey = account.journeys.find(({ audience }) => audience === null)!.journey;
    await this.outside.insist('enroll', {
      name,
      value: { workspace: account.workspaceId, journey, to },
      path: `/v1/journeys/${journey}/enroll`,
      asked: { key: account.apiKey, body: { email: to, consent: true } },
      said: ({ status }) => ({ status }),
    });
  }

  private newcomer(what: string, of: 'tag' | 'mailbox' = 'tag'): { account: Account; to: string } {
    const account = this.outside.account();
    return { account, to: this.outside.address(account, what, of) };
  }
}

/** Where the id of the contact stands in a token, bytes. */
const IDS = 12;
const CONFIRM = /https?:\/\/[^/\s"]+(\/c\/[A-Za-z0-9_-]{44})/;
