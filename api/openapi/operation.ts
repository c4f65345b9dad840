import type { Schema } from 'joi';
import type { FieldErrors } from '../../schemas/validation-messages';
import type { JsonSchema } from '../../schemas/json-schema';
import type { ErrorCode } from '../errors';
import type { Route } from '../route';

/** Groups of endpoints, in the order of the document. */
export const TAGS = {
  Account: 'What the key and its workspace may do.',
  Messages: 'One email to one recipient, and what became of it.',
  Suppressions: 'Whether an address may be sent to.',
  Campaigns: 'Mail to the members of an audience, prepared by the operator.',
  Journeys: 'Automated sequences.',
  Conversions: 'Sales, to be linked to the email that led to them.',
  Contacts: 'The people a workspace writes to.',
  Audiences: 'Lists of contacts.',
  Webhooks: 'Where events are posted to.',
} as const;

/** A success of an operation. */
export interface OperationAnswer {
  status: 200 | 201;
  description: string;
  schema: Schema;
  /** By name; the schema's own example when there is none. */
  examples?: Readonly<Record<string, unknown>>;
}

/** A refusal that only this operation gives, beside those of every route (see `commonErrors`). */
export interface OperationRefusal {
  code: ErrorCode;
  /** Tells it from others of the same code. */
  name?: string;
  /** The code's own text when there is none. */
  text?: string;
  errors?: FieldErrors;
}

/** A parameter of the path or a header. */
export interface OperationParameter {
  description: string;
  schema: JsonSchema;
  /** Pages to try the API fill it in: only where sending it twice does no harm. */
  example?: unknown;
}

/** What the document says of a route that the route cannot say itself: words, answers, refusals, examples. */
export interface Operation extends Pick<Route, 'method' | 'path'> {
  id: string;
  tag: keyof typeof TAGS;
  summary: string;
  description: string;
  /** Of the path, by name. */
  parameters?: Readonly<Record<string, OperationParameter>>;
  headers?: Readonly<Record<string, OperationParameter>>;
  /** What the fields of its query or body mean, by name. */
  fields?: Readonly<Record<string, string>>;
  /** Bodies of requests, by name. */
  requests?: Readonly<Record<string, object>>;
  answers: readonly OperationAnswer[];
  refusals?: readonly OperationRefusal[];
}

/** An integer id of the path. */
export const integerId = (what: string, example: number): OperationParameter => ({
  description: `${what}. A malformed id is answered 404, as one that is not there.`,
  schema: { type: 'integer', minimum: 1 },
  example,
});

/** A refusal over one field. */
export const fieldFault = (field: string, fault: string, name?: string): OperationRefusal => ({
  code: 'validation_failed',
  name: name ?? field,
  text: fault,
  errors: { [field]: [fault] },
});
