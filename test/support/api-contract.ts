import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { apiDocument } from '../../api/openapi/document';
import { API_PREFIX } from '../../api/route';
import { routes } from '../../api/routes';
import { readUrl } from '../../lib/read-url';
import { isEmailAddress } from '../../schemas/rules/email-address';
import { closeAnswers } from './close-answers';
import type { DocumentedOperation, DocumentedResponse, OpenApiDocument } from './openapi-document';

/** One answer of the API, as sent. */
export interface SeenAnswer {
  method: string;
  /** With its query, if it has one. */
  target: string;
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, unknown>>;
  body: string;
}

const JSON_TYPE = 'application/json';

/** A part of a JSON document in a pointer (RFC 6901). */
const pointer = (parts: readonly string[]): string =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Checks answers, requests and examples against the API document and its schemas. */
export class ApiContract {
  readonly document: OpenApiDocument;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly paths: { template: string; pattern: RegExp }[];

  constructor(document: object = apiDocument(routes, 'https://mail.example.com')) {
    this.document = document as OpenApiDocument;
    addFormats(this.ajv);
    this.ajv.addFormat('idn-email', isEmailAddress);
    this.ajv.addFormat('iri', (text) => readUrl(text) !== null);
    this.ajv.addSchema({ ...closeAnswers(this.document), $id: 'kurir' });
    this.paths = Object.keys(this.document.paths)
      // Paths without parameters come first: /contacts/engagement is not an id.
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`) }));
  }

  /** Why a value breaks the schema at this place of the document; null when it is valid. */
  faults(place: readonly string[], value: unknown): string | null {
    const $ref = `kurir#${pointer(place)}`;
    const validate = this.validators.get($ref) ?? this.ajv.compile({ $ref });
    this.validators.set($ref, validate);
    return validate(value) ? null : this.ajv.errorsText(validate.errors, { dataVar: 'body' });
  }

  /** Whether the document has the operation of a request. */
  knows(method: string, target: string): boolean {
    const template = this.templateOf(target);
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    return template !== undefined && this.document.paths[template]?.[verb] !== undefined;
  }

  /** How an answer breaks the document, in one line; null when it is valid or the operation is not documented. */
  breach({ method, target, status, headers, body }: SeenAnswer): string | null {
    const template = this.templateOf(target);
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = template === undefined ? undefined : this.document.paths[template]?.[verb];
    if (template === undefined || !operation) return null;
    const fault = this.fault([template, verb], operation, { method, target, status, headers, body });
    return fault && `${method} ${target} answered ${status}: ${fault}; body: ${body.slice(0, 500)}`;
  }

  private fault([template, verb]: [string, string], operation: DocumentedOperation, answer: SeenAnswer): string | null {
    const response = operation.responses[answer.status];
    if (!response) return 'the status is not documented';
    const missing = Object.keys(response.headers).filter((name) => answer.headers[name.toLowerCase()] === undefined);
    if (missing.length > 0) return `without ${missing.join(', ')}`;
    if (answer.method === 'HEAD') return null;
    if (!String(answer.headers['content-type']).startsWith(JSON_TYPE)) return 'not as JSON';
    const place = ['paths', template, verb, 'responses', String(answer.status), 'content', JSON_TYPE, 'schema'];
    const body = parse(answer.body);
    return this.faults(place, body) ?? (answer.status < 400 ? null : undocumentedCode(response, body));
  }

  private templateOf(target: string): string | undefined {
    const path = target.split('?', 1)[0] ?? '';
    if (!path.startsWith(`${API_PREFIX}/`)) return undefined;
    return this.paths.find(({ pattern }) => pattern.test(path.slice(API_PREFIX.length)))?.template;
  }
}

/** An error code that no example of the response has; all errors of a status share a schema. */
function undocumentedCode(response: DocumentedResponse, body: unknown): string | null {
  const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
  const codes = Object.values(response.content[JSON_TYPE]?.examples ?? {}).map(({ value }) => codeOf(value));
  return codes.includes(codeOf(body)) ? null : `the code ${String(codeOf(body))} is not among the examples`;
}

/** Parses JSON; undefined when it is invalid, which no schema accepts. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
