import type { Route } from '../../api/route';
import { routes } from '../../api/routes';
import { messageId } from './builders';

/** An endpoint as the contract writes it: `GET /messages/{id}`. */
export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;

/** Every endpoint by its name, for `test.each`. */
export const ENDPOINTS: [string, Route][] = routes.map((route) => [nameOf(route), route]);

/** The names of the ids in a path. */
export const idsIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);

/** The path with these ids; a missing id becomes a well-formed unknown one. */
export const pathOf = ({ path }: Pick<Route, 'path'>, ids: Readonly<Record<string, string>> = {}): string =>
  `/v1${path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? unknownId(path))}`;

/** Messages have UUIDs, everything else has whole numbers. */
export const hasUuid = (path: string): boolean => path.startsWith('/messages');

const NOBODYS = '999999999';
const unknownId = (path: string): string => (hasUuid(path) ? messageId() : NOBODYS);

/** A body that every endpoint accepts: each reads its own fields and ignores the others. */
export const ANY_BODY = {
  to: 'sari@contoh.test',
  subject: 'Pesanan Anda dikirim',
  html: '<p>Halo</p>',
  sending_domain_id: 999_999_999,
  email: 'sari@contoh.test',
  name: 'Sari',
  consent: true,
  amount: 150_000,
  url: 'https://8.8.8.8/kurir',
  event_types: ['delivered'],
  from: '2000-01-01T00:00:00Z',
};
