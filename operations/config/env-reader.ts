import { isIP } from 'node:net';
import { DAY } from '../../lib/clock';
import { parseDuration } from '../../lib/duration';
import { readUrl } from '../../lib/read-url';

export type Env = Readonly<Record<string, string | undefined>>;

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

const HOST_PORT = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*):(\d{1,5})$/i;

/** The login of a URL, however malformed, must not reach a log; nor may passwords among its parameters. */
const withoutCredentials = (value: string): string =>
  value
    .replace(/^([\w+]+:\/\/)?.*@/s, '$1...@')
    .replace(/([?&][^=&]*(?:pass|secret|token|credential|key)[^=&]*=)[^&]*/gi, '$1...');

/** Parses `host:port`, with IPv6 in brackets; null for anything else. The host comes without brackets. */
export function readHostPort(text: string): { host: string; port: number } | null {
  const [, host = '', digits = ''] = HOST_PORT.exec(text) ?? [];
  const port = Number(digits);
  return port > 0 && port <= 65_535 ? { host: host.replace(/^\[|\]$/g, ''), port } : null;
}

/**
 * Reads variables one at a time and collects every error instead of stopping at the first. An unset or blank variable
 * has its default. A faulty one yields a value of the right type, which must not be used once `faults` is not empty.
 */
export class EnvReader<Name extends string> {
  readonly faults: string[] = [];

  constructor(
    private readonly env: Env,
    private readonly variables: Readonly<Record<Name, { default: string }>>,
    /** What a fault says instead of the value, for variables whose value must not be shown. */
    private readonly hidden: Readonly<Partial<Record<Name, string>>>,
  ) {}

  /** The value, trimmed. */
  text(name: Name): string {
    return this.env[name]?.trim() || this.variables[name].default;
  }

  fault(name: Name, why: string): void {
    const found = this.hidden[name] ?? `is "${withoutCredentials(this.text(name))}"`;
    this.faults.push(`${name} ${why} (${found}).`);
  }

  whole(name: Name, min: number, max: number): number {
    const value = Number(this.text(name));
    const fits = /^\d+$/.test(this.text(name)) && value >= min && value <= max;
    if (!fits) this.fault(name, `must be a whole number from ${min} to ${max}`);
    return value;
  }

  /** Zero lets the system choose a port. */
  port(name: Name): number {
    return this.whole(name, 0, 65_535);
  }

  /** A duration of at least `least` ms and at most a year. */
  duration(name: Name, least: number): number {
    let length = 0;
    try {
      length = parseDuration(this.text(name));
    } catch {
      // Out of range; rejected below like a duration that is too short.
    }
    const fits = length >= least && length <= 365 * DAY;
    const shortest = least === DAY ? '1d' : '1s';
    if (!fits) this.fault(name, `must be a duration from ${shortest} to 365d, such as 30s, 10m, 23h or 4d`);
    return length;
  }

  oneOf<T extends string>(name: Name, allowed: readonly T[]): T {
    const value = allowed.find((candidate) => candidate === this.text(name));
    if (value === undefined) this.fault(name, `must be one of ${allowed.join(', ')}`);
    return value ?? (allowed[0] as T);
  }

  /** The text, which must match the form. */
  matching(name: Name, form: RegExp, why: string): string {
    if (!form.test(this.text(name))) this.fault(name, why);
    return this.text(name);
  }

  /** Null when blank. */
  hostPort(name: Name): { host: string; port: number } | null {
    if (!this.text(name)) return null;
    const target = readHostPort(this.text(name));
    if (!target) this.fault(name, 'must be host:port');
    return target;
  }

  /** Host names and IP addresses, comma-separated; lower case, no port. */
  hosts(name: Name): string[] {
    const hosts = this.text(name)
      .split(',')
      .map((item) => item.trim().toLowerCase())
      .filter(Boolean);
    const valid = hosts.every((host) => isIP(host) !== 0 || HOST_NAME.test(host));
    if (!valid) this.fault(name, 'must be host names or IP addresses, comma-separated, without scheme or port');
    return hosts;
  }

  /** Addresses of DNS servers, comma-separated, each with or without a port. */
  nameServers(name: Name): string[] {
    const servers = this.text(name)
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
    const isServer = (server: string): boolean => isIP(server) !== 0 || isIP(readHostPort(server)?.host ?? '') !== 0;
    if (!servers.every(isServer)) this.fault(name, 'must be IP addresses of DNS servers, comma-separated, or off');
    return servers;
  }

  /** An absolute URL with one of the schemes (`https:`), without query and trailing slash. Null when blank. */
  url(name: Name, schemes: readonly string[]): string | null {
    const text = this.text(name);
    if (!text) return null;
    const fault = urlFault(text, schemes);
    if (fault !== null) this.fault(name, fault);
    return text.replace(/\/+$/, '');
  }
}

/** Why a text is no absolute URL with one of the schemes (`https:`) and at most these query parameters; else null. */
export function urlFault(text: string, schemes: readonly string[], parameters: readonly string[] = []): string | null {
  const url = readUrl(text);
  if (!url?.hostname || !schemes.includes(url.protocol)) {
    return `must be a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`;
  }
  if (parameters.length === 0 && /[?#]/.test(text)) return 'must be a URL without query and fragment';
  const isStrange = url.hash !== '' || [...url.searchParams.keys()].some((key) => !parameters.includes(key));
  return isStrange ? `may only have the parameters ${parameters.join(', ')}` : null;
}
