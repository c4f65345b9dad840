/** What a line of Postfix's log says, as far as it concerns a mail that was handed over. */
export type LogLine = { at: number | null } & (
  | /** smtpd opened a queue file for the mail that its client is about to send. */
    { kind: 'opened'; pid: string; queueId: string }
    /** The client of an smtpd went away, or was sent away, before the final dot. Postfix drops such a mail. */
  | { kind: 'cut'; pid: string }
  /** The session of an smtpd began or ended. */
  | { kind: 'closed'; pid: string }
  /** cleanup read the Message-ID of a mail: it may still be cut. */
  | { kind: 'named'; queueId: string; messageId: string }
  /** qmgr took a mail into its queue: Postfix has it. */
  | { kind: 'queued'; queueId: string; sender: string }
  /** A delivery was put off; `text` is the enhanced code and what the next server said. */
  | { kind: 'deferred'; queueId: string; text: string }
  | { kind: 'removed'; queueId: string }
  /** Postfix was started: the processes of the run before are gone, or soon will be. */
  | { kind: 'started' }
  /** The logger itself tells that it dropped lines. */
  | { kind: 'lines_lost' }
);

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY = 24 * 60 * 60 * 1_000;

/**
 * Both forms of a date, the host, the name of the program with its folders (`postfix/submission/smtpd`), its process.
 */
const LINE =
  /^(?:([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d)|(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*)) \S+ (?:[\w.-]+\/)+([\w-]+)\[(\d+)\]: (.*)$/s;
const LOST = /begin to drop messages|messages? lost due to rate-limiting|Suppressed \d+ messages from/i;
const OPENED = /^([0-9A-Za-z]+): client=/;
/** Without a number of bytes the command was refused: the mail before it may be complete. */
const CUT = /^(?:lost connection|timeout|too many errors|server error) after (?:DATA|BDAT) \(\d+ bytes\)/;
const CLOSED = /^(?:dis)?connect from /;
const NAMED = /^([0-9A-Za-z]+): message-id=<?([^\s>]+)/;
const QUEUED = /^([0-9A-Za-z]+): from=<([^>]*)>/;
const REMOVED = /^([0-9A-Za-z]+): removed$/;
const STARTED = /^daemon started\b/;
const DEFERRED = /^([0-9A-Za-z]+): to=<.*?, dsn=(\d\.\d{1,3}\.\d{1,3}), status=deferred \((.*?)\)?$/s;
/** Around the words of the other server: `host mx.example[192.0.2.1] said: ... (in reply to RCPT TO command)`. */
const SAID = /^host \S+ (?:said|refused to talk to me): /;
const IN_REPLY = / \(in reply to [^()]{1,60}\)$/;

/**
 * Reads one line as Postfix writes it to `maillog_file`, or a syslog daemon to its file, with either form of a date.
 * Null for every line that says nothing about a mail handed over. `now` (ms) gives a date without a year its year.
 * Never throws.
 */
export function readLogLine(line: string, now: number): LogLine | null {
  const found = LINE.exec(line);
  if (!found) return LOST.test(line) ? { kind: 'lines_lost', at: null } : null;
  const [, month, day, hours, minutes, seconds, iso, service = '', pid = '', text = ''] = found;
  const read = readText(service, pid, text);
  if (!read) return null;
  const at = iso === undefined ? shortDate([month, day, hours, minutes, seconds], now) : Date.parse(iso);
  return { ...read, at: Number.isNaN(at) ? null : at };
}

type WithoutDate<T> = T extends unknown ? Omit<T, 'at'> : never;

function readText(service: string, pid: string, text: string): WithoutDate<LogLine> | null {
  if (service === 'smtpd') return ofServer(pid, text);
  if (service === 'cleanup') {
    const [, queueId = '', messageId = ''] = NAMED.exec(text) ?? [];
    return queueId ? { kind: 'named', queueId, messageId } : null;
  }
  if (service === 'master') return STARTED.test(text) ? { kind: 'started' } : null;
  if (service === 'qmgr' || service === 'nqmgr') return ofQueue(text);
  return ofDelivery(text);
}

function ofDelivery(text: string): WithoutDate<LogLine> | null {
  const [, queueId = '', code = '', said = ''] = DEFERRED.exec(text) ?? [];
  if (!queueId) return null;
  return { kind: 'deferred', queueId, text: `${code} ${said.replace(SAID, '').replace(IN_REPLY, '')}` };
}

function ofServer(pid: string, text: string): WithoutDate<LogLine> | null {
  const [, queueId] = OPENED.exec(text) ?? [];
  if (queueId) return { kind: 'opened', pid, queueId };
  if (CUT.test(text)) return { kind: 'cut', pid };
  return CLOSED.test(text) ? { kind: 'closed', pid } : null;
}

function ofQueue(text: string): WithoutDate<LogLine> | null {
  const [, queueId, sender = ''] = QUEUED.exec(text) ?? [];
  if (queueId) return { kind: 'queued', queueId, sender };
  const [, removed] = REMOVED.exec(text) ?? [];
  return removed ? { kind: 'removed', queueId: removed } : null;
}

/** A date without year and zone, in the zone of this host; NaN when it is none. */
function shortDate([month = '', ...numbers]: (string | undefined)[], now: number): number {
  const [day = 0, hours = 0, minutes = 0, seconds = 0] = numbers.map(Number);
  const inYear = (year: number): number =>
    new Date(year, MONTHS.indexOf(month), day, hours, minutes, seconds).getTime();
  if (!MONTHS.includes(month)) return NaN;
  const year = new Date(now).getFullYear();
  // A line of December that is read in January.
  return inYear(year) > now + DAY ? inYear(year - 1) : inYear(year);
}
