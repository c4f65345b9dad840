import type { IncomingHttpHeaders } from 'node:http';
import type { ObjectSchema } from 'joi';
import type { ApiKey, Scope, Workspace } from '../domain/settings/workspace';
import { validate } from '../schemas/rules/rules';
import { normalize, type Shape, type Source } from '../schemas/rules/normalize';
import type { ApiDeps } from './deps';
import { invalidFields } from './errors';
import { parseForm } from './http/parse-form';
import type { RequestBody } from './http/read-body';

/** Prefix of every API path (docs/contract.md#base-url). */
export const API_PREFIX = '/v1';

/** One request to a route, after all guards let it pass. */
export interface Call<Query = unknown, Body = unknown> {
  key: ApiKey;
  workspace: Workspace;
  /** True when the workspace has the module and the operator has not closed it. */
  moduleOpen: boolean;
  params: Readonly<Record<string, string>>;
  query: Query;
  headers: IncomingHttpHeaders;
  /** Reads the body on demand, once; rejects with ApiError. */
  readBody: () => Promise<RequestBody>;
  /** The body fields, checked by the rules of the route, which may need a context; rejects with ApiError. */
  fields: (context?: object) => Promise<Body>;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** The fields of a request: how to normalize them, and their rules. */
export interface RequestSchema<T> {
  shape: Shape;
  rules: ObjectSchema<T>;
}

/** The policy of an endpoint. */
export interface RouteSpec<Query, Body> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the prefix. */
  path: string;
  scope: Scope | 'any';
  /** `optional`: also available without the Email Marketing module. */
  emailModule: 'required' | 'optional';
  query?: RequestSchema<Query>;
  body?: RequestSchema<Body>;
  handle(deps: ApiDeps, call: Call<Query, Body>): Promise<Answer>;
}

/** A route that parses its query string itself. Its schemas are kept for the documentation. */
export interface Route extends Omit<RouteSpec<never, never>, 'query' | 'body' | 'handle'> {
  query?: RequestSchema<unknown>;
  body?: RequestSchema<unknown>;
  handle(deps: ApiDeps, call: Omit<Call<string>, 'fields'>): Promise<Answer>;
}

/**
 * Declares an endpoint. Its query string, if it has rules, is parsed like a form; an invalid field is a 422, a
 * malformed query a 400.
 */
export function route<Query = undefined, Body = undefined>(spec: RouteSpec<Query, Body>): Route {
  const { method, path, scope, emailModule, query, body } = spec;
  const bodyFields = async (call: Pick<Call, 'readBody'>, context?: object): Promise<Body> => {
    if (!body) return undefined as Body;
    const { fields, source } = await call.readBody();
    return readFields(body, () => fields, source, context);
  };
  // Field by field: a spread with overridden fields is slow in V8.
  const handle: Route['handle'] = (deps, call) => {
    let reading: Promise<RequestBody> | undefined;
    const once = { readBody: () => (reading ??= call.readBody()) };
    return spec.handle(deps, {
      key: call.key,
      workspace: call.workspace,
      moduleOpen: call.moduleOpen,
      params: call.params,
      query: readFields(query, () => parseForm(Buffer.from(call.query), 'query'), 'form'),
      headers: call.headers,
      readBody: once.readBody,
      fields: (context) => bodyFields(once, context),
    });
  };
  return { method, path, scope, emailModule, ...(query && { query }), ...(body && { body }), handle };
}

function readFields<T>(schema: RequestSchema<T> | undefined, input: () => object, source: Source, context?: object): T {
  if (!schema) return undefined as T;
  const read = validate(schema.rules, normalize(schema.shape, input(), source), context);
  if (!read.ok) throw invalidFields(read.errors);
  return read.value;
}
