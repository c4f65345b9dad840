import { LANES } from '../../domain/messages/message';
import { ONLY_SERVER, type SendingServer, type ServerRoute } from '../../domain/sending/server-routes';
import type { VariableName } from './config-variables';
import { readUrl } from '../../lib/read-url';
import { urlFault, type EnvReader } from './env-reader';

const URLS = 'KURIR_MTA_URL';
const ROUTES = 'KURIR_MTA_ROUTES';
const SCHEMES = ['smtp:', 'smtps:'];
const PARAMETERS = ['ignoreTLS', 'pipelining', 'tls.rejectUnauthorized'];
/** Between the servers of a list; a comma in a password is none. */
const BETWEEN = /[\s,]+(?=[a-z0-9-]+=)/;
const NAMED = /^([a-z0-9-]+)=(.*)$/s;
const MAX_IN_NAME = 32;

export interface SendingServers {
  /** The URL of the first server; null: the sandbox inside the process. */
  mtaUrl: string | null;
  /** All servers, the first is for mail that no rule is for; empty: the sandbox. */
  mtaServers: readonly SendingServer[];
  /** Which mail goes over which of them. */
  mtaRoutes: readonly ServerRoute[];
}

/** The sending servers and the rules which mail goes over which (docs/sending-server.md#several-servers). */
export function readSendingServers(read: EnvReader<VariableName>): SendingServers {
  const text = read.text(URLS);
  const items = NAMED.test(text) ? text.split(BETWEEN) : [text].filter(Boolean);
  const mtaServers = items.map((item) => readServer(read, item));
  const names = mtaServers.map(({ name }) => name);
  const twice = firstTwice(names);
  if (twice !== null) read.fault(URLS, `names the server ${twice} twice`);
  return { mtaUrl: mtaServers[0]?.url ?? null, mtaServers, mtaRoutes: readRoutes(read, names) };
}

function readServer(read: EnvReader<VariableName>, item: string): SendingServer {
  const [, name, named = ''] = NAMED.exec(item) ?? [];
  const url = name === undefined ? item : named;
  const fault =
    urlFault(url, SCHEMES, PARAMETERS) ??
    flagFault(url) ??
    (readUrl(url)?.hostname.includes(',') ? 'has several servers: name each one, as in one=smtp://…' : null);
  if (fault !== null) read.fault(URLS, name === undefined ? fault : `(${name}) ${fault}`);
  if (name !== undefined && name.length > MAX_IN_NAME) read.fault(URLS, `has a server name of more than 32 characters`);
  return { name: name ?? ONLY_SERVER, url: url.replace(/\/+$/, '') };
}

function flagFault(url: string): string | null {
  const strange = [...(readUrl(url)?.searchParams ?? [])].find(([, value]) => value !== 'true' && value !== 'false');
  return strange ? `must have true or false for ${strange[0]}` : null;
}

function readRoutes(read: EnvReader<VariableName>, servers: readonly string[]): ServerRoute[] {
  const items = read
    .text(ROUTES)
    .split(/[\s,]+/)
    .filter(Boolean);
  const twice = firstTwice(items.map((item) => item.replace(/(?<!^fallback)=.*/, '')));
  if (twice !== null) read.fault(ROUTES, `has ${twice} twice`);
  return items.flatMap((item) => {
    const [, mail, value = '', of = mail, server = ''] =
      /^(?:(workspace|domain|lane):([^=]+)|(fallback))=(.*)$/.exec(item) ?? [];
    const fault = of === undefined ? `has "${item}", which is not a rule` : routeFault(of, value, server, servers);
    if (fault !== null)
      read.fault(
        ROUTES,
        `${fault}; a rule is workspace:3=NAME, domain:toko.example=NAME, lane:campaign=NAME or fallback=NAME`,
      );
    return fault === null ? [{ of: of as ServerRoute['of'], value, server }] : [];
  });
}

function routeFault(of: string, value: string, server: string, servers: readonly string[]): string | null {
  if (!servers.includes(server)) return `names the server "${server}", which ${URLS} does not have`;
  if (of === 'workspace' && !/^[1-9]\d{0,14}$/.test(value))
    return `names the workspace "${value}", which is not a number`;
  if (of === 'domain' && value !== value.toLowerCase()) return `names the domain "${value}" in capital letters`;
  const isLane = (LANES as readonly string[]).includes(value);
  return of !== 'lane' || isLane ? null : `names the lane "${value}"; lanes are ${LANES.join(', ')}`;
}

const firstTwice = (items: readonly string[]): string | null =>
  items.find((item, n) => items.indexOf(item) < n) ?? null;
