import type { AnySchema } from 'joi';
import type { JsonSchema } from '../../schemas/rules/json-schema';
import type { ErrorBody, ErrorCode } from '../errors';

/** Groups of endpoints, in the order of the document. */
export const TAGS = {
  Account: 'What the key and its workspace can do.',
  Messages: 'One email to one recipient, and its status.',
  Templates: 'Reusable content for messages.',
  Suppressions: 'Addresses that are never sent to.',
  Campaigns: 'Emails to the members of an audience, prepared in the dashboard or on the command line.',
  Journeys: 'Emails sent step by step after a trigger.',
  Conversions: 'Sales, to be linked to the email that led to them.',
  Contacts: 'The people a workspace sends to.',
  Audiences: 'Groups of contacts that campaigns are sent to.',
  Webhooks: 'Webhook subscriptions, their deliveries, and the event feed.',
} as const;

/** A successful response of an operation. */
export interface OperationAnswer {
  status: 200 | 201 | 202;
  description: string;
  schema: AnySchema;
  /** By name; default: the example of the schema. */
  examples?: Readonly<Record<string, unknown>>;
}

/** An error of this operation only, in addition to those of every route (see `commonErrors`). */
export interface OperationRefusal {
  code: ErrorCode;
  /** Distinguishes it from others with the same code. */
  name?: string;
  /** Default: the text of the code. */
  text?: string;
  errors?: ErrorBody['errors'];
}

/** A path parameter or a header. */
export interface OperationParameter {
  description: string;
  schema: JsonSchema;
  /** Pre-filled on pages that try out the API; only set it where sending twice does no harm. */
  example?: unknown;
}

/** What a route says of itself in the document: words, responses, errors, examples. */
export interface Operation {
  id: string;
  tag: keyof typeof TAGS;
  summary: string;
  description: string;
  /** Path parameters, by name. */
  parameters?: Readonly<Record<string, OperationParameter>>;
  headers?: Readonly<Record<string, OperationParameter>>;
  /** Descriptions of the query or body fields, by name. */
  fields?: Readonly<Record<string, string>>;
  /** Example request bodies, by name. */
  requests?: Readonly<Record<string, object>>;
  answers: readonly OperationAnswer[];
  refusals?: readonly OperationRefusal[];
}

/** An integer id in the path. */
export const integerId = (what: string, example: number): OperationParameter => ({
  description: `${what}. A malformed id returns 404, like an unknown one.`,
  schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  example,
});

/** A validation error of one field. */
export const fieldFault = (field: string, fault: string, name?: string): OperationRefusal => ({
  code: 'validation_failed',
  name: name ?? field,
  text: fault,
  errors: { [field]: [fault] },
});
