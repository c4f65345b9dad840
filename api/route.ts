import type { IncomingHttpHeaders } from 'node:http';
import type { ObjectSchema } from 'joi';
import type { ApiKey, Scope, Workspace } from '../domain/workspace';
import { validate } from '../schemas/rules';
import { normalize, type Shape, type Source } from '../schemas/normalize';
import type { ApiDeps } from './deps';
import { invalidFields } from './errors';
import { parseForm } from './http/parse-form';
import type { RequestBody } from './http/read-body';

/** Every path of the API is below it (docs/contract.md#base-url). */
export const API_PREFIX = '/v1';

/** One request to a route, after every guard let it pass. */
export interface Call<Query = unknown, Body = unknown> {
  key: ApiKey;
  workspace: Workspace;
  /** The workspace has the module and the operator has not closed it. */
  moduleOpen: boolean;
  params: Readonly<Record<string, string>>;
  query: Query;
  headers: IncomingHttpHeaders;
  /** Reads the body when a route wants it; rejects with ApiError. */
  readBody: () => Promise<RequestBody>;
  /** The fields of the body by the rules of the route; rejects with ApiError. */
  fields: () => Promise<Body>;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** Fields of a request: how they are tidied, and the rules they must keep. */
export interface RequestSchema<T> {
  shape: Shape;
  rules: ObjectSchema<T>;
}

/** The policy of an endpoint at a glance. */
export interface RouteSpec<Query, Body> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the prefix. */
  path: string;
  scope: Scope | 'any';
  /** `optional`: answers without the Email Marketing module, too. */
  emailModule: 'required' | 'optional';
  query?: RequestSchema<Query>;
  body?: RequestSchema<Body>;
  handle(deps: ApiDeps, call: Call<Query, Body>): Promise<Answer>;
}

/** A route that reads its query string itself. Its schemas are there for whoever describes it. */
export interface Route extends Omit<RouteSpec<never, never>, 'query' | 'body' | 'handle'> {
  query?: RequestSchema<unknown>;
  body?: RequestSchema<unknown>;
  handle(deps: ApiDeps, call: Omit<Call<string>, 'fields'>): Promise<Answer>;
}

/** Declares an endpoint. Its query string, if it has rules, is read like a form; a fault in it is a 422, a malformed one a 400. */
export function route<Query = undefined, Body = undefined>(spec: RouteSpec<Query, Body>): Route {
  const { method, path, scope, emailModule, query, body } = spec;
  const bodyFields = async (call: Omit<Call<string>, 'fields'>): Promise<Body> => {
    if (!body) return undefined as Body;
    const { fields, source } = await call.readBody();
    return readFields(body, () => fields, source);
  };
  // Field by field: a spread whose fields are overridden takes V8's slow path.
  const handle: Route['handle'] = (deps, call) =>
    spec.handle(deps, {
      key: call.key,
      workspace: call.workspace,
      moduleOpen: call.moduleOpen,
      params: call.params,
      query: readFields(query, () => parseForm(call.query, 'query'), 'form'),
      headers: call.headers,
      readBody: call.readBody,
      fields: () => bodyFields(call),
    });
  return { method, path, scope, emailModule, ...(query && { query }), ...(body && { body }), handle };
}

function readFields<T>(schema: RequestSchema<T> | undefined, input: () => object, source: Source): T {
  if (!schema) return undefined as T;
  const read = validate(schema.rules, normalize(schema.shape, input(), source));
  if (!read.ok) throw invalidFields(read.errors);
  return read.value;
}
