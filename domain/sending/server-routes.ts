import type { Lane } from '../messages/message';

/** A server that relays mail, at an `smtp://` or `smtps://` URL. */
export interface SendingServer {
  /** Small letters, digits and dashes. */
  name: string;
  url: string;
}

/** The name of a server that is given without one. */
export const ONLY_SERVER = 'default';

/**
 * Which mail goes over a server: that of a workspace (its id), of a sending domain, or of a lane; or (`fallback`) that
 * of others which fail, and no other.
 */
export interface ServerRoute {
  of: 'workspace' | 'domain' | 'lane' | 'fallback';
  /** Empty for `fallback`. */
  value: string;
  server: string;
}

/** What of a mail decides over which server it goes. */
export interface RoutedMail {
  workspaceId: number;
  domain: string;
  lane: Lane;
}

/** The token of a hand-off, with the server where nothing else tells it. */
export const fenceOver = (token: string, server: string): string => `${token}.${server}`;

/** The server in a token; undefined: the only one, or the first. The token of a process is its lease and a number. */
export const serverOfFence = (fence: string | null): string | undefined => fence?.split('.')[2];

/** The server that the first rule which fits names; null when none fits (docs/sending-server.md#several-servers). */
export function serverOf(routes: readonly ServerRoute[], { workspaceId, domain, lane }: RoutedMail): string | null {
  const values = { workspace: String(workspaceId), domain, lane, fallback: null };
  return routes.find(({ of, value }) => values[of] === value)?.server ?? null;
}

/**
 * The servers that no rule names. They get the volume of warm-ups only, and take over from none: their addresses may be
 * new to receivers.
 */
export const unnamedServers = (servers: readonly SendingServer[], routes: readonly ServerRoute[]): string[] =>
  servers.flatMap(({ name }, n) => (n === 0 || routes.some(({ server }) => server === name) ? [] : [name]));
