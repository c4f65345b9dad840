import { Session } from '../../../../smtp/relay/protocol/session';
import { formatReply } from '../../../../smtp/relay/protocol/reply';
import { AUTH, StubPolicy, type TakenMail } from './stub-policy';

/** How a session went. */
export interface Conversation {
  /** All replies, without the greeting. */
  replies: string;
  mails: TakenMail[];
  /** `open`: it waits for more; `startTls`: TLS is to begin. */
  state: 'open' | 'closed' | 'startTls';
  policy: StubPolicy;
  session: Session<string>;
}

/** Gives the chunks to a session without sockets, one after the other. */
export async function converse(
  chunks: readonly (string | Buffer)[],
  { secure = true, policy = new StubPolicy() } = {},
): Promise<Conversation> {
  const session = new Session<string>({ hostname: 'relay.test', peer: { address: '192.0.2.1' }, secure });
  const gone: Conversation = { replies: '', mails: policy.mails, state: 'open', policy, session };
  for (const chunk of chunks) {
    if (gone.state !== 'open') break;
    session.push(Buffer.from(chunk as string, 'latin1'));
    await drain(gone);
  }
  return gone;
}

/** Does everything that the session asks for until it needs more. */
export async function drain(gone: Conversation): Promise<void> {
  const { session, policy } = gone;
  for (let action = session.next(); action; action = session.next()) {
    if (action.do === 'send') gone.replies += formatReply(action.reply);
    if (action.do === 'ask') await action.ask(policy).catch(() => session.failed());
    if (action.do === 'startTls') gone.state = 'startTls';
    if (action.do === 'close') gone.state = 'closed';
    if (gone.state !== 'open') return;
  }
}

/** Lines of a session that is logged in already, each ended by CRLF. */
export const loggedIn = (...lines: string[]): string => crlf('EHLO client.test', AUTH, ...lines);
export const crlf = (...lines: string[]): string => lines.map((line) => `${line}\r\n`).join('');

/** The replies to `lines` of a client that is logged in, one string each; a reply of several lines joined by `|`. */
export async function repliesTo(...lines: string[]): Promise<string[]> {
  const { replies } = await converse([loggedIn(...lines)]);
  return toList(replies).slice(2);
}

export const toList = (replies: string): string[] =>
  replies
    .replace(/^(\d{3})-(.*)\r\n/gm, '$1-$2|')
    .split('\r\n')
    .filter(Boolean);
