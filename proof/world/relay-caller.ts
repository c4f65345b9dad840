import { sleep } from '../../lib/sleep';
import { contentOf, htmlOf, type MailContent } from './mail-content';
import type { Outside } from './actors';
import type { Begun } from './recorder';
import { RelayDialogue, type Connect } from './relay-dialogue';
import type { Account } from './template';

/** Tries of one mail. */
const TRIES = 60;
const QUEUED = /Queued as ([0-9a-f-]{36})(?: for (\S+))?/g;

/** One recipient of a mail, until it is known what became of it. */
interface Recipient {
  to: string;
  act: Begun<'send'> | null;
  isDone: boolean;
}

interface Mail {
  account: Account;
  messageId: string;
  recipients: Recipient[];
}

/** An application that hands its mail in by the SMTP relay. */
export class RelayCaller {
  private readonly taken: Mail[] = [];

  constructor(
    private readonly outside: Outside,
    /** `connect`: with TLS, on a machine; `onDot` is called once the final dot of a mail is written. */
    private readonly real: { connect?: Connect; onDot?: () => void } = {},
  ) {}

  /** A mail to one or several, or one that was handed in before. */
  send(name: string): Promise<void> {
    const { random } = this.outside;
    if (this.taken.length > 0 && random.chance(0.2)) return this.handIn(name, random.pick(this.taken));
    const account = this.outside.account();
    const messageId = `<relay-${this.outside.number()}@toko.example>`;
    const recipients = Array.from({ length: 1 + random.below(3) }, () => this.outside.address(account, 'r'));
    return this.handIn(name, {
      account,
      messageId,
      recipients: recipients.map((to) => ({ to, act: null, isDone: false })),
    });
  }

  private async handIn(name: string, mail: Mail): Promise<void> {
    const { random } = this.outside;
    const recipients = mail.recipients.map(({ to }): Recipient => ({ to, act: null, isDone: false }));
    for (let n = 0; n < TRIES; n++) {
      await this.attempt(name, { ...mail, recipients });
      const isOpen = recipients.some(({ isDone }) => !isDone);
      if (!isOpen && !this.taken.includes(mail)) this.taken.push(mail);
      if (!isOpen || random.chance(0.05)) return;
      await sleep(random.between(50, 5_000));
    }
  }

  /** Tries once to hand in a mail; true once it is known what became of every recipient. */
  async take(
    name: string,
    { to, ...mail }: { account: Account; messageId: string; to: readonly string[] },
  ): Promise<boolean> {
    const recipients = to.map((one): Recipient => ({ to: one, act: null, isDone: false }));
    await this.attempt(name, { ...mail, recipients });
    return recipients.every(({ isDone }) => isDone);
  }

  /** One connection. What is not known at its end stays open. */
  private async attempt(name: string, { account, messageId, recipients }: Mail): Promise<void> {
    const open = recipients.filter(({ isDone }) => !isDone);
    for (const one of open) {
      const facts = { workspace: account.workspaceId, key: `${messageId} ${one.to}`, to: one.to };
      const value = { ...facts, relay: true as const, ...contentOfMail(messageId) };
      one.act = this.outside.recorder.begin(name, 'send', value);
    }
    const dialogue = new RelayDialogue(this.outside.ports.smtps, this.real.connect);
    try {
      await this.talk(dialogue, account, messageId, open);
    } finally {
      dialogue.close();
      for (const { act } of open) act?.info('no answer');
    }
  }

  private async talk(dialogue: RelayDialogue, { smtp }: Account, messageId: string, open: Recipient[]): Promise<void> {
    const login = Buffer.from(`\0${smtp.username}\0${smtp.password}`).toString('base64');
    if (!isGood(await dialogue.reply())) return;
    for (const line of ['EHLO toko.example', `AUTH PLAIN ${login}`, `MAIL FROM:<${smtp.from}>`])
      if (!isGood(await dialogue.ask(line))) return;
    let named = 0;
    for (const one of open) {
      const reply = await dialogue.ask(`RCPT TO:<${one.to}>`);
      if (reply === null) return;
      if (isGood(reply)) named += 1;
      else this.refuse(one, reply);
    }
    if (named === 0 || !isGood(await dialogue.ask('DATA'))) return;
    const answered = dialogue.ask(this.received + mailOf(smtp.from, messageId));
    this.real.onDot?.();
    const reply = await answered;
    if (reply !== null) this.read(open, reply);
  }

  /** Another one at each attempt, as a mail server on the way would write it. */
  private get received(): string {
    return this.real.connect ? `Received: by toko.example; ${this.outside.recorder.lines.length}\r\n` : '';
  }

  /** A refusal for good ends it; one for now says that nothing was made. */
  private refuse(one: Recipient, reply: string): void {
    one.act?.fail(Number(reply.slice(0, 3)), reply);
    one.act = null;
    one.isDone = reply.startsWith('5');
  }

  /** The answer to the final dot. After a 4xx nobody knows. */
  private read(open: Recipient[], reply: string): void {
    const named = open.filter(({ act }) => act !== null);
    if (reply.startsWith('5')) for (const one of named) this.refuse(one, reply);
    if (!reply.startsWith('250')) return;
    const ids = new Map([...reply.matchAll(QUEUED)].map(([, id, to]) => [to ?? named[0]?.to ?? '', id ?? '']));
    for (const one of named) {
      const message = ids.get(one.to);
      if (message === undefined) {
        this.refuse(one, `550 ${reply}`);
        continue;
      }
      one.act?.ok({ status: 250, message, state: 'queued' });
      [one.act, one.isDone] = [null, true];
    }
  }
}

const isGood = (reply: string | null): boolean => reply !== null && /^[23]/.test(reply);

const contentOfMail = (messageId: string): MailContent => contentOf(`Pesanan ${messageId.slice(1).split('@')[0]}`);

const mailOf = (from: string, messageId: string): string =>
  [
    `From: Toko <${from}>`,
    `Subject: ${contentOfMail(messageId).subject}`,
    `Message-ID: ${messageId}`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    '',
    htmlOf(contentOfMail(messageId)),
    '.',
  ].join('\r\n');
