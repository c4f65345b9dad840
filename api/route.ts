import type { IncomingHttpHeaders } from 'node:http';
import type { ObjectSchema } from 'joi';
import type { ApiKey, Scope, Workspace } from '../domain/workspace';
import { validate } from '../schemas/rules';
import { tidy, type Shape } from '../schemas/tidy';
import type { ApiDeps } from './deps';
import { invalidFields } from './errors';
import { parseForm } from './http/parse-form';
import type { RequestBody } from './http/read-body';

/** Every path of the API is below it (spec section 9). */
export const API_PREFIX = '/v1';

/** One request to a route, after every guard let it pass. */
export interface Call<Query = unknown> {
  key: ApiKey;
  workspace: Workspace;
  /** The workspace has the module and the operator has not closed it. */
  moduleOpen: boolean;
  params: Readonly<Record<string, string>>;
  query: Query;
  headers: IncomingHttpHeaders;
  /** Reads the body when a route wants it; rejects with ApiError. */
  readBody: () => Promise<RequestBody>;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** The policy of an endpoint at a glance. */
export interface RouteSpec<Query> {
  method: 'GET' | 'POST';
  /** Below the prefix. */
  path: string;
  scope: Scope | 'any';
  /** `optional`: answers without the Email Marketing module, too. */
  emailModule: 'required' | 'optional';
  query?: { shape: Shape; rules: ObjectSchema<Query> };
  handle(deps: ApiDeps, call: Call<Query>): Promise<Answer>;
}

/** A route that reads its query string itself. */
export interface Route extends Omit<RouteSpec<never>, 'query' | 'handle'> {
  handle(deps: ApiDeps, call: Call<string>): Promise<Answer>;
}

/** Declares an endpoint. Its query string, if it has rules, is read like a form; a fault in it is a 422, a malformed one a 400. */
export function route<Query = undefined>(spec: RouteSpec<Query>): Route {
  const { method, path, scope, emailModule, query: schema } = spec;
  const readQuery = (raw: string): Query => {
    if (!schema) return undefined as Query;
    const read = validate(schema.rules, tidy(schema.shape, parseForm(raw, 'query'), 'form'));
    if (!read.ok) throw invalidFields(read.errors);
    return read.value;
  };
  const handle: Route['handle'] = (deps, call) => spec.handle(deps, { ...call, query: readQuery(call.query) });
  return { method, path, scope, emailModule, handle };
}
