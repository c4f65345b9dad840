import { isIP } from 'node:net';
import type { SMTPConnectionAuth, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import type { Activity } from '../../lib/activity';
import { readUrl } from '../../lib/read-url';

/** Network time-outs, ms. */
interface SmtpTimeouts {
  /** TCP, greeting, EHLO, STARTTLS. */
  connect: number;
  /** From the connection to the greeting. */
  greeting: number;
  /** Silence on a connection in use. */
  idle: number;
  /** A hand-off as a whole, with the wait for a connection. */
  whole: number;
}

export interface SmtpTransportOptions {
  /**
   * `smtp://` or `smtps://`, with user and password percent-encoded where there are any, default ports 25 and 465.
   * On `smtp://` STARTTLS is used when the server offers it, and demanded where there is a password to protect.
   * Certificates are verified except on loopback; `?tls.rejectUnauthorized=false` takes any, `?ignoreTLS=true` uses none.
   * `?pipelining=false` sends one command at a time to a server that offers PIPELINING and keeps no order of its replies.
   */
  url: string;
  maxConnections: number;
  /** Our name in EHLO. */
  name: string;
  timeouts?: Partial<SmtpTimeouts>;
  /** Mails sent over one connection; by default 500. */
  maxMessages?: number;
  /** How long an unused connection is kept, ms; by default 20 s. */
  keepIdle?: number;
  /** Hears which hand-offs only wait for a connection, and that one is being given back. */
  activity?: Activity;
}

/** What a connection is opened with. */
export interface SmtpTarget {
  connection: SMTPConnectionOptions;
  auth: SMTPConnectionAuth | null;
  /** False: not even where the server offers it. */
  pipelining: boolean;
}

/** RFC 5321 section 4.5.3.2 asks for minutes of patience; an answer that never comes makes the outcome unknown. */
export const DEFAULT_TIMEOUTS: SmtpTimeouts = { connect: 30_000, greeting: 60_000, idle: 300_000, whole: 600_000 };

/** Reads the options; throws a clear error for a URL that is none or has a parameter we do not know. */
export function smtpTarget(options: SmtpTransportOptions): SmtpTarget {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
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
    // a connection that is given up must not stay half open: what was not sent yet must not be sent any more
    socketCloseTimeout: 0,
  };
  return { connection, auth, pipelining: flag(url, 'pipelining', true) };
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
