/**
 * What a hook found about a signature. stale: right, but the timestamp is more than five minutes from the service's
 * clock. unknown: no webhook has the URL of the request, so there is no secret to verify it with.
 */
export type Verdict = 'valid' | 'invalid' | 'missing' | 'stale' | 'unknown';

/** The verdicts on the two signatures of a request, and the webhook whose secret they were held against. */
export interface Verification {
  /** Id of the webhook; null when none has this URL. */
  subscription: number | string | null;
  /** X-Service-Signature. */
  serviceSignature: Verdict;
  /** The three headers of Standard Webhooks. */
  standardSignature: Verdict;
}

/** A request as a hook received it. */
export interface ArrivedRequest extends Verification {
  /** The hook: the last part of its URL. */
  name: string;
  /** The service's clock, ms. */
  receivedAt: number;
  /** The header `webhook-id`. */
  webhookId: string | null;
  /** From the body, when it is JSON and has them. */
  event: string | null;
  messageId: string | null;
  /** The status it is answered with; null: it is never answered. */
  answer: number | null;
  /** Those that concern webhooks, lower-case names. */
  headers: Record<string, string>;
  /** The exact bytes. */
  body: Buffer;
}

/** A stored request. */
export interface HookRequest extends Omit<ArrivedRequest, 'body'> {
  id: number;
  /** From 1: how often this hook received this `webhook-id` up to then. */
  attempt: number;
  /** The size of the whole body, bytes, also where only its beginning is kept. */
  size: number;
  /** The beginning of the body as text, at most 64 kB. */
  text: string;
}

/** What is stored of one hook. */
export interface HookSummary {
  name: string;
  requests: number;
  /** How many of them are verified. */
  verified: number;
  /** When the newest was received, ms. */
  lastAt: number;
}

/** True when both signatures are valid. */
export const isVerified = ({ serviceSignature, standardSignature }: Verification): boolean =>
  serviceSignature === 'valid' && standardSignature === 'valid';
