import { isIP } from 'node:net';
import type { SMTPConnectionAuth, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import type { Activity } from '../../lib/activity';
import { readUrl } from '../../lib/read-url';

/** Network timeouts, ms. */
interface SmtpTimeouts {
  /** TCP, greeting, EHLO, STARTTLS. */
  connect: number;
  /** From the connection to the greeting. */
  greeting: number;
  /** All of it, from the connection to the login. */
  open: number;
  /** Silence on a connection in use until the server asks for the mail; at most `idle`. */
  asking: number;
  /** Silence on a connection in use. */
  idle: number;
  /** A whole hand-off, including the wait for a connection. */
  whole: number;
}

export interface SmtpTransportOptions {
  /**
   * `smtp://` or `smtps://`, optionally with percent-encoded user and password; default ports 25 and 465. On `smtp://`
   * STARTTLS is used when the server offers it, and required when there is a password to protect. Certificates are
   * verified except on loopback; `?tls.rejectUnauthorized=false` accepts any, `?ignoreTLS=true` disables TLS.
   * `?pipelining=false` sends one command at a time to a server that offers PIPELINING but mixes up its replies.
   */
  url: string;
  maxConnections: number;
  /** Our name in EHLO. */
  name: string;
  timeouts?: Partial<SmtpTimeouts>;
  /**
   * True when its mail may go over another server: then it is given up sooner while that is possible, without a second
   * connection to a silent server, and what waits for a connection to a server that does not answer is given up at
   * once.
   */
  mayMove?: boolean;
  /** Mails sent over one connection; default 500. */
  maxMessages?: number;
  /** How long an unused connection is kept, ms; default 20 s. */
  keepIdle?: number;
  /** Records which hand-offs only wait for a connection, and that one is being released. */
  activity?: Activity;
}

/** What is needed to open a connection. */
export interface SmtpTarget {
  connection: SMTPConnectionOptions;
  auth: SMTPConnectionAuth | null;
  /** False: not even if the server offers it. */
  pipelining: boolean;
  timeouts: SmtpTimeouts;
}

/** RFC 5321 section 4.5.3.2 asks for minutes of patience; a missing answer makes the outcome unknown. */
const TIMEOUTS: SmtpTimeouts = {
  connect: 30_000,
  greeting: 60_000,
  open: 600_000,
  asking: 300_000,
  idle: 300_000,
  whole: 600_000,
};
/** Beside another server. Longer than relays take that look up the recipient first. */
const MOVING_TIMEOUTS = { open: 10_000, asking: 40_000 };

/** Reads the options; throws a clear error for an invalid URL or an unknown parameter. */
export function smtpTarget(options: SmtpTransportOptions): SmtpTarget {
  const timeouts = { ...TIMEOUTS, ...(options.mayMove && MOVING_TIMEOUTS), ...options.timeouts };
  const url = targetUrl(options.url);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const local = isLoopback(host);
  const auth = url.username ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : null;
  const ignoreTLS = flag(url, 'ignoreTLS', false);
  const connection: SMTPConnectionOptions = {
    // the name would be looked up in the DNS first
    host: host === 'localhost' ? '127.0.0.1' : host,
    port: url.port ? Number(url.port) : secure ? 465 : 25,
    secure,
    name: options.name,
    ignoreTLS,
    requireTLS: auth !== null && !secure && !local && !ignoreTLS,
    tls: { rejectUnauthorized: flag(url, 'tls.rejectUnauthorized', !local) },
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.idle,
    // an abandoned connection must not stay half open: unsent bytes must not be sent any more
    socketCloseTimeout: 0,
  };
  timeouts.asking = Math.min(timeouts.asking, timeouts.idle);
  return { connection, auth, pipelining: flag(url, 'pipelining', true), timeouts };
}

const PARAMETERS = ['ignoreTLS', 'pipelining', 'tls.rejectUnauthorized'];

function targetUrl(text: string): URL {
  const url = readUrl(text);
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || !url.hostname) {
    throw new TypeError('The URL of the sending server must look like smtp://host:25 or smtps://user:password@host.');
  }
  const unknown = [...url.searchParams.keys()].filter((name) => !PARAMETERS.includes(name));
  if (unknown.length > 0)
    throw new TypeError(`The URL of the sending server has an unknown parameter: ${unknown.join(', ')}.`);
  return url;
}

function flag(url: URL, name: string, otherwise: boolean): boolean {
  const value = url.searchParams.get(name);
  if (value === null) return otherwise;
  if (value !== 'true' && value !== 'false')
    throw new TypeError(`${name} in the URL of the sending server must be true or false.`);
  return value === 'true';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
