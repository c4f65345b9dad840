import type { Dialogue, Outcome } from './dialogue';
import { REPLIES, reply, syntax } from './reply';
import { decodeBase64, readPlain, type Credentials } from './sasl';

const USERNAME = reply(334, null, Buffer.from('Username:').toString('base64'));
const PASSWORD = reply(334, null, Buffer.from('Password:').toString('base64'));
const EMPTY = reply(334, null, '');

/** AUTH PLAIN and AUTH LOGIN, under TLS only (RFC 4954). The password may come with the command or behind a prompt. */
export function authenticate<L>(dialogue: Dialogue<L>, text: string): Outcome<L> {
  if (!dialogue.secure) return { reply: REPLIES.encryptFirst };
  if (!dialogue.greeted) return { reply: REPLIES.ehloFirst };
  if (dialogue.login) return { reply: REPLIES.alreadyLoggedIn };
  const [mechanism = '', initial, ...more] = text.split(' ');
  if (mechanism === '' || more.length > 0) return { reply: syntax('AUTH mechanism [initial-response]') };
  const begin = MECHANISMS[mechanism.toUpperCase() as keyof typeof MECHANISMS] as typeof plain | undefined;
  return begin ? begin(dialogue, initial) : { reply: REPLIES.unknownMechanism };
}

function plain<L>(dialogue: Dialogue<L>, initial: string | undefined): Outcome<L> {
  const take = (line: string): Outcome<L> => {
    const credentials = readPlain(line);
    if (credentials === null) return { reply: REPLIES.badBase64 };
    return credentials === 'foreign' ? refuse(dialogue) : logIn(dialogue, credentials);
  };
  return initial === undefined ? prompt(dialogue, EMPTY, take) : take(initial);
}

function login<L>(dialogue: Dialogue<L>, initial: string | undefined): Outcome<L> {
  const takeUsername = (line: string): Outcome<L> => {
    const username = decodeBase64(line);
    if (username === null) return { reply: REPLIES.badBase64 };
    return prompt(dialogue, PASSWORD, (next) => {
      const password = decodeBase64(next);
      return password === null ? { reply: REPLIES.badBase64 } : logIn(dialogue, { username, password });
    });
  };
  return initial === undefined ? prompt(dialogue, USERNAME, takeUsername) : takeUsername(initial);
}

const MECHANISMS = { PLAIN: plain, LOGIN: login };

/** Asks for a line; `*` ends the exchange. */
function prompt<L>(dialogue: Dialogue<L>, asking: typeof EMPTY, take: (line: string) => Outcome<L>): Outcome<L> {
  dialogue.exchange = (line) => {
    dialogue.exchange = null;
    return line === '*' ? { reply: REPLIES.cancelled } : take(line);
  };
  return { reply: asking };
}

function refuse<L>(dialogue: Dialogue<L>): Outcome<L> {
  dialogue.loginFailures += 1;
  return { reply: REPLIES.wrongLogin };
}

function logIn<L>(dialogue: Dialogue<L>, credentials: Credentials): Outcome<L> {
  return {
    ask: async (policy) => {
      const answer = await policy.login(credentials, dialogue.peer);
      if ('refusal' in answer) {
        dialogue.loginFailures += 1;
        return answer.refusal;
      }
      dialogue.login = { value: answer.login };
      return REPLIES.loggedIn;
    },
  };
}
