import { maskAddresses } from '../../domain/addresses/mask-addresses';

/** Nested causes shown, at most. */
const DEPTH = 5;

/**
 * An error as logged: type, message, code and stack traces of it and its causes, and nothing else it carries. Drivers
 * attach whole documents to errors and name values in messages, and log lines outlive the contact.
 */
export function logError(error: unknown): object {
  if (!isError(error)) return { type: typeof error, message: maskAddresses(String(error)) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: maskAddresses(error.message),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    stack: maskAddresses(traces(error)),
  };
}

function traces(error: Error, depth = DEPTH): string {
  const stack = error.stack ?? `${error.name}: ${error.message}`;
  return isError(error.cause) && depth > 0 ? `${stack}\ncaused by: ${traces(error.cause, depth - 1)}` : stack;
}

/** Errors of native addons may come from another realm. */
const isError = (value: unknown): value is Error =>
  value instanceof Error || (typeof value === 'object' && value !== null && 'stack' in value && 'message' in value);
