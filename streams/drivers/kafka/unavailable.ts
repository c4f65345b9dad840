import { KafkaJSProtocolError, KafkaJSSASLAuthenticationError } from 'kafkajs';
import { UnavailableError } from '../../../lib/errors';

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The servers answer, but refuse our user, password or login mechanism. */
export class LoginRefusedError extends UnavailableError {
  constructor(
    message: string,
    /** The servers' own words, as a sentence. */
    readonly reason: string,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Makes an error that asks the caller to retry later. Errors that already do so are returned unchanged. */
export function unavailable(what: string, error: unknown): UnavailableError {
  if (error instanceof UnavailableError) return error;
  const message = `Kafka: ${what}: ${textOf(error)}`;
  const refusal = refusalIn(error);
  if (!refusal) return new UnavailableError(message, { cause: error });
  return new LoginRefusedError(message, refusal.message.replace(/\.?$/, '.'), { cause: error });
}

const LOGIN_ERRORS = new Set(['UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE', 'SASL_AUTHENTICATION_FAILED']);
/** The library reports the same when the connection ends during a login. */
const CUT_SHORT = /\b(closed|timed out|timeout|disconnected)\b/i;

function refusalIn(error: unknown): Error | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof KafkaJSProtocolError && LOGIN_ERRORS.has(error.type)) return error;
  if (error instanceof KafkaJSSASLAuthenticationError && !CUT_SHORT.test(error.message)) return error;
  return refusalIn(error.cause);
}
