import { isUtf8 } from 'node:buffer';
import { AUTH, type TakenMail } from '../../smtp/relay/protocol/stub-policy';

/** Octets of a line in a mail. */
const LONGEST = 65_536;

/**
 * The mails that a session under TLS holds by the strict grammar: CRLF and nothing else ends a line, CRLF.CRLF and
 * nothing else ends a mail. Written as plainly as possible, over the whole text, without a state machine; it knows the
 * answers of the stub policy, and only the commands and addresses that the inputs are made of.
 */
export function mailsOf(text: string): TakenMail[] {
  const mails: TakenMail[] = [];
  let rest = text;
  const state: State = { greeted: false, loggedIn: false, asked: 0, from: null, size: 0, to: [] };
  for (;;) {
    const end = rest.search(/\r|\n|\0/);
    // A broken line ends the session, as does the end of the input.
    if (end === -1 || rest.slice(end, end + 2) !== '\r\n') return mails;
    const line = rest.slice(0, end);
    rest = rest.slice(end + 2);
    if (state.asked > 0) {
      state.asked = isBase64(line) ? state.asked - 1 : 0;
    } else if (/^data *$/i.test(line) && state.from !== null && state.to.length > 0) {
      const found = contentOf(rest);
      if (found === null) return mails;
      rest = found.rest;
      if (isTakeable(found.content, state.size))
        mails.push({ sender: state.from, recipients: state.to, content: found.content });
      state.from = null;
      state.to = [];
    } else if (command(state, line) === 'over') {
      return mails;
    }
  }
}

/** Up to the end; null when there is none, or when a bare CR or LF or a NUL comes before it. */
function contentOf(text: string): { content: string; rest: string } | null {
  const end = `\r\n${text}`.indexOf('\r\n.\r\n');
  if (end === -1) return null;
  const stuffed = text.slice(0, end);
  if (/\r(?!\n)|(?<!\r)\n|\0/.test(stuffed)) return null;
  return { content: stuffed.replace(/^\./gm, ''), rest: text.slice(end + 3) };
}

/** Too long a line is refused, and more than twice the declared size and 64 kB. */
const isTakeable = (content: string, declared: number): boolean =>
  content.split('\r\n').every((line) => line.length <= LONGEST) &&
  (declared === 0 || content.length <= 2 * declared + 65_536);

interface State {
  greeted: boolean;
  loggedIn: boolean;
  /** Lines that AUTH LOGIN waits for: a user name and a password, never the right ones. */
  asked: number;
  from: string | null;
  /** As MAIL declared it; 0: not. */
  size: number;
  to: string[];
}

/** Lines that are refused whatever they say. */
const isUnreadable = (line: string): boolean =>
  !isUtf8(Buffer.from(line, 'latin1')) || (line.length > 510 && !/^AUTH /i.test(line));

/** QUIT, and what looks like a header. */
const isLast = (line: string): boolean => /^quit *$/i.test(line) || /^[^ ]*:/.test(line);

/** Changes the state; `over` when the session ends with the command. */
function command(state: State, line: string): 'over' | void {
  if (line.length > LONGEST) return 'over';
  if (isUnreadable(line)) return;
  if (isLast(line)) return 'over';
  if (/^(ehlo|helo) +[^ ]+ *$/i.test(line)) {
    Object.assign(state, { greeted: true, from: null, to: [] });
  } else if (line === AUTH) {
    if (state.greeted && state.from === null) state.loggedIn = true;
  } else if (/^auth +login *$/i.test(line)) {
    if (state.greeted && !state.loggedIn) state.asked = 2;
  } else if (/^rset *$/i.test(line)) {
    Object.assign(state, { from: null, to: [] });
  } else if (state.loggedIn && state.greeted) {
    envelope(state, line);
  }
}

function envelope(state: State, line: string): void {
  const [, from, size = '0'] = /^mail +from: *<(.*)>(?: +SIZE=(\d+))? *$/i.exec(line) ?? [];
  if (from !== undefined && state.from === null && isTaken(from) && Number(size) <= 10_485_760) {
    Object.assign(state, { from, size: Number(size) });
  }
  const [, to] = /^rcpt +to: *<(.*)> *$/i.exec(line) ?? [];
  if (to !== undefined && state.from !== null && isTaken(to)) state.to = [...state.to, to];
}

const isBase64 = (line: string): boolean =>
  line.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(line) && isUtf8(Buffer.from(line, 'base64'));

const isTaken = (address: string): boolean => !/refused|malformed|fails|[^\u0000-\u007f]/.test(address);
