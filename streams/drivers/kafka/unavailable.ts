import { KafkaJSProtocolError, KafkaJSSASLAuthenticationError } from 'kafkajs';
import { UnavailableError } from '../../../lib/errors';

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The servers answer, and refuse our user, password or way to log in. */
export class LoginRefusedError extends UnavailableError {
  constructor(
    message: string,
    /** What the servers say, a sentence. */
    readonly reason: string,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The error that tells a caller to try again later; errors that say so already pass. */
export function unavailable(what: string, error: unknown): UnavailableError {
  if (error instanceof UnavailableError) return error;
  const message = `Kafka: ${what}: ${textOf(error)}`;
  const refusal = refusalIn(error);
  if (!refusal) return new UnavailableError(message, { cause: error });
  return new LoginRefusedError(message, refusal.message.replace(/\.?$/, '.'), { cause: error });
}

const LOGIN_ERRORS = new Set(['UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE', 'SASL_AUTHENTICATION_FAILED']);
/** The library says so too when the connection ended in the midst of a login. */
const CUT_SHORT = /\b(closed|timed out|timeout|disconnected)\b/i;

function refusalIn(error: unknown): Error | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof KafkaJSProtocolError && LOGIN_ERRORS.has(error.type)) return error;
  if (error instanceof KafkaJSSASLAuthenticationError && !CUT_SHORT.test(error.message)) return error;
  return refusalIn(error.cause);
}
