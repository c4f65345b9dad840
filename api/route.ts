import type { IncomingHttpHeaders } from 'node:http';
import type { AnySchema, ObjectSchema } from 'joi';
import type { ApiKey, Scope, Workspace } from '../domain/settings/workspace';
import { validate } from '../schemas/rules/rules';
import { normalize, type Shape, type Source } from '../schemas/rules/normalize';
import type { ApiDeps } from './deps';
import { invalidFields, type ErrorBody } from './errors';
import { parseForm } from './http/parse-form';
import type { RequestBody } from './http/read-body';
import type { Operation, OperationParameter } from './openapi/operation';

/** Prefix of every API path (docs/contract.md#base-url). */
export const API_PREFIX = '/v1';

/** The names of the parameters in a path, such as `id` in `/webhooks/:id`. */
type ParamOf<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** One request to a route, after all guards let it pass. */
export interface Call<Query = unknown, Body = unknown, Param extends string = string> {
  key: ApiKey;
  workspace: Workspace;
  /** True when the workspace has the module and the operator has not closed it. */
  moduleOpen: boolean;
  params: Readonly<Record<Param, string>>;
  query: Query;
  headers: IncomingHttpHeaders;
  /** Reads the body on demand, once; rejects with ApiError. */
  readBody: () => Promise<RequestBody>;
  /** The body fields, checked by the rules of the route, which may need a context; rejects with ApiError. */
  fields: (context?: object) => Promise<Body>;
}

/** An answer with another status than the first that its route declares; an error may be returned as well as thrown. */
export class Answer<Reply = unknown> {
  constructor(
    readonly status: number,
    readonly body: Reply | ErrorBody,
  ) {}
}

/** The fields of a request: how to normalize them, and their rules. */
export interface RequestSchema<T> {
  shape: Shape;
  rules: ObjectSchema<T>;
}

/** What the routes of a resource share. */
interface Shared extends Pick<Operation, 'tag'> {
  scope: Scope | 'any';
  /** `optional`: also available without the Email Marketing module. Default: required. */
  emailModule?: 'required' | 'optional';
}

/** An endpoint: its policy, its documentation, and what it does. */
interface RouteSpec<Path, Query, Body, Reply> extends Omit<Operation, 'tag' | 'parameters' | 'answers'> {
  /** Default: that of the resource. */
  scope?: Scope;
  parameters?: Readonly<Record<ParamOf<Path>, OperationParameter>>;
  query?: RequestSchema<Query>;
  body?: RequestSchema<Body>;
  /** The first is what the handler answers with, unless it returns an `Answer`. */
  answers: readonly (Operation['answers'][number] & { schema: AnySchema<Reply> })[];
  handle: (deps: ApiDeps, call: Call<Query, Body, ParamOf<Path>>) => Promise<NoInfer<Reply> | Answer<NoInfer<Reply>>>;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A route as it is served and documented; it parses its query string itself. */
export interface Route extends Operation {
  method: Method;
  /** Path below the prefix. */
  path: string;
  scope: Scope | 'any';
  emailModule: 'required' | 'optional';
  query?: RequestSchema<unknown>;
  body?: RequestSchema<unknown>;
  /** The status of an answer that is no `Answer`. */
  status: number;
  handle(deps: ApiDeps, call: Omit<Call<string>, 'fields'>): Promise<unknown>;
}

/**
 * Declares the routes of a resource, each by its method and its path below the prefix. A query string that has rules is
 * parsed like a form; an invalid field is a 422, a malformed query a 400.
 */
export const resource =
  ({ tag, scope, emailModule = 'required' }: Shared) =>
  <At extends `${Method} /${string}`, Reply, Query = undefined, Body = undefined>(
    at: At,
    { handle, ...spec }: RouteSpec<At, Query, Body, Reply>,
  ): Route => {
    const [method = '', path = ''] = at.split(' ');
    return {
      tag,
      scope,
      emailModule,
      ...spec,
      method: method as Method,
      path,
      status: spec.answers[0]?.status ?? 200,
      handle: handlerOf(spec, handle),
    };
  };

/** Field by field: a spread with overridden fields is slow in V8. */
function handlerOf<Query, Body>(
  { query, body }: { query?: RequestSchema<Query>; body?: RequestSchema<Body> },
  handle: (deps: ApiDeps, call: Call<Query, Body>) => Promise<unknown>,
): Route['handle'] {
  return (deps, call) => {
    let reading: Promise<RequestBody> | undefined;
    const readBody = (): Promise<RequestBody> => (reading ??= call.readBody());
    return handle(deps, {
      key: call.key,
      workspace: call.workspace,
      moduleOpen: call.moduleOpen,
      params: call.params,
      query: readFields(query, () => parseForm(Buffer.from(call.query), 'query'), 'form'),
      headers: call.headers,
      readBody,
      fields: async (context) => {
        if (!body) return undefined as Body;
        const { fields, source } = await readBody();
        return readFields(body, () => fields, source, context);
      },
    });
  };
}

function readFields<T>(schema: RequestSchema<T> | undefined, input: () => object, source: Source, context?: object): T {
  if (!schema) return undefined as T;
  const read = validate(schema.rules, normalize(schema.shape, input(), source), context);
  if (!read.ok) throw invalidFields(read.errors);
  return read.value;
}
