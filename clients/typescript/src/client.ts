/** The methods of the API, as the OpenAPI document writes them. */
type Method = 'get' | 'post' | 'patch' | 'delete';

/** Paths of the document that have the method. */
type PathsOf<Paths, M extends Method> = {
  [P in keyof Paths]: Paths[P] extends Record<M, infer Operation> ? (Operation extends object ? P : never) : never;
}[keyof Paths] &
  string;
type OperationOf<Paths, P extends keyof Paths, M extends Method> = Paths[P] extends Record<M, infer O> ? O : never;

type Parameters<O, Where extends 'path' | 'query'> = O extends { parameters: infer All }
  ? Where extends keyof All
    ? NonNullable<All[Where]>
    : never
  : never;
type BodyOf<O> = O extends { requestBody?: infer R }
  ? [NonNullable<R>] extends [never]
    ? never
    : NonNullable<R> extends { content: { 'application/json': infer B } }
      ? B
      : never
  : never;
type JsonOf<R> = R extends { content: { 'application/json': infer B } } ? B : never;
/** What the answers of success hold. */
type AnswerOf<O> = O extends { responses: infer R }
  ? { [Status in keyof R & (200 | 201 | 202)]: JsonOf<R[Status]> }[keyof R & (200 | 201 | 202)]
  : never;

type Field<Name extends string, Value> = [Value] extends [never]
  ? object
  : object extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value };
type Input<O> = Field<'path', Parameters<O, 'path'>> &
  Field<'query', Parameters<O, 'query'>> &
  Field<'body', BodyOf<O>> & {
    /** The same key answers with the first result and does nothing again. Default for messages: a new one. */
    idempotencyKey?: string;
    signal?: AbortSignal;
  };
/** The input may be left out where nothing in it is required. */
type Arguments<O> = object extends Input<O> ? [input?: Input<O>] : [input: Input<O>];

export interface ClientOptions {
  /** With `/v1`: `https://mail.example.com/v1`. */
  baseUrl: string;
  /** `kurir_sk_...` */
  apiKey: string;
  /** How often a request is tried again. Default: 4. */
  retries?: number;
  /** How long one try may take, ms. Default: 30,000. */
  timeout?: number;
  /** Default: that of the platform. */
  fetch?: typeof globalThis.fetch;
  /** Waits between two tries, ms; for tests. */
  sleep?: (ms: number) => Promise<void>;
}

/** An answer that is no success. `status` is 0 when no answer came. */
export class KurirError extends Error {
  override readonly name = 'KurirError';

  constructor(
    message: string,
    readonly status: number,
    /** Stable, such as `recipient_suppressed`; null when no answer of the API came. */
    readonly code: string | null,
    /** Texts by field, of a request that is not valid. */
    readonly errors: Readonly<Record<string, readonly string[]>>,
    /** The id of the request in the log of the service. */
    readonly requestId: string | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What is sent, and whether a repeat is harmless. */
interface Prepared {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  repeatable: boolean;
  signal: AbortSignal | undefined;
}

const RETRIES = 4;
const TIMEOUT = 30_000;
/** The first wait, and the longest that is not asked for, ms. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 20_000;
/** A `Retry-After` above this is left to the caller, s. */
const PATIENCE = 120;
/** Nothing was done with the request. */
const NOT_TAKEN = new Set([429, 503]);
/** Perhaps something was done with it. */
const UNSURE = new Set([0, 500, 502, 504]);

/** Endpoints that take an Idempotency-Key. */
const takesKey = (method: string, path: string): boolean => method === 'POST' && /^\/messages(\/batch)?$/.test(path);

/**
 * A client of the REST API. `Paths` are those of the OpenAPI document, from which paths, parameters, bodies and answers
 * have their types. Each method resolves with the body of the answer, and rejects with KurirError.
 *
 * A request is tried again after 429 and 503, which take nothing, as late as `Retry-After` says. After a lost
 * connection or another fault of the service it is tried again where a repeat is harmless: reads, changes, deletions,
 * and messages, each of which gets an Idempotency-Key.
 */
export class KurirClient<Paths extends object> {
  private readonly fetch: typeof globalThis.fetch;
  private readonly sleep: (ms: number) => Promise<void>;

  constructor(private readonly options: ClientOptions) {
    this.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.sleep = options.sleep ?? ((ms) => new Promise((resolve) => void setTimeout(resolve, ms)));
  }

  get<P extends PathsOf<Paths, 'get'>>(
    path: P,
    ...[input]: Arguments<OperationOf<Paths, P, 'get'>>
  ): Promise<AnswerOf<OperationOf<Paths, P, 'get'>>> {
    return this.request('GET', path, input ?? {});
  }

  post<P extends PathsOf<Paths, 'post'>>(
    path: P,
    ...[input]: Arguments<OperationOf<Paths, P, 'post'>>
  ): Promise<AnswerOf<OperationOf<Paths, P, 'post'>>> {
    return this.request('POST', path, input ?? {});
  }

  patch<P extends PathsOf<Paths, 'patch'>>(
    path: P,
    ...[input]: Arguments<OperationOf<Paths, P, 'patch'>>
  ): Promise<AnswerOf<OperationOf<Paths, P, 'patch'>>> {
    return this.request('PATCH', path, input ?? {});
  }

  delete<P extends PathsOf<Paths, 'delete'>>(
    path: P,
    ...[input]: Arguments<OperationOf<Paths, P, 'delete'>>
  ): Promise<AnswerOf<OperationOf<Paths, P, 'delete'>>> {
    return this.request('DELETE', path, input ?? {});
  }

  private async request<Answer>(method: string, path: string, input: object): Promise<Answer> {
    const prepared = this.prepare(method, path, input);
    const { retries = RETRIES } = this.options;
    for (let tries = 0; ; tries += 1) {
      const result = await this.attempt(prepared);
      if (!(result instanceof Failure)) return result.body as Answer;
      const again = NOT_TAKEN.has(result.error.status) || (prepared.repeatable && UNSURE.has(result.error.status));
      if (!again || tries >= retries || prepared.signal?.aborted || (result.retryAfter ?? 0) > PATIENCE) {
        throw result.error;
      }
      await this.sleep(waitOf(result.retryAfter, tries));
    }
  }

  private prepare(method: string, path: string, input: object): Prepared {
    const { path: params = {}, query = {}, body, idempotencyKey, signal } = input as LooseInput;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const search = new URLSearchParams(
      given.map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    const key = idempotencyKey ?? (takesKey(method, path) ? crypto.randomUUID() : undefined);
    return {
      method,
      url: `${this.options.baseUrl.replace(/\/$/, '')}${filled}${search && `?${search}`}`,
      headers: {
        authorization: `Bearer ${this.options.apiKey}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      repeatable: method !== 'POST' || key !== undefined,
      signal,
    };
  }

  /** One try. Never rejects for what network and service do. */
  private async attempt({ method, url, headers, body, signal }: Prepared): Promise<Success | Failure> {
    const timeout = AbortSignal.timeout(this.options.timeout ?? TIMEOUT);
    try {
      const response = await this.fetch(url, {
        method,
        headers,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      return response.ok ? { body: text === '' ? null : (JSON.parse(text) as unknown) } : refusal(response, text);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      return new Failure(new KurirError(`No response: ${reason}`, 0, null, {}, null, { cause }), null);
    }
  }
}

interface LooseInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

interface Success {
  body: unknown;
}

class Failure {
  constructor(
    readonly error: KurirError,
    /** What the answer asks to wait, s. */
    readonly retryAfter: number | null,
  ) {}
}

function refusal(response: Response, text: string): Failure {
  const { message, code, errors } = readError(text);
  const after = Number(response.headers.get('retry-after') ?? NaN);
  const error = new KurirError(
    message ?? `The service responded with ${response.status}.`,
    ...([response.status, code ?? null, errors ?? {}, response.headers.get('x-request-id')] as const),
  );
  return new Failure(error, Number.isFinite(after) ? after : null);
}

/** A proxy in between may answer with anything. */
function readError(text: string): { message?: string; code?: string; errors?: Record<string, string[]> } {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}

/** As long as the answer asks for, else longer and longer, with some chance in it; ms. */
function waitOf(retryAfter: number | null, tries: number): number {
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries);
  return (retryAfter === null ? 0 : retryAfter * 1_000) + wait * (0.5 + Math.random() / 2);
}
