import { maskAddresses } from '../domain/mask-addresses';

/** Causes of causes that are told of. */
const DEPTH = 5;

/**
 * An error as the log shows it: type, message, code and traces of it and its causes, and nothing else it carries. Drivers hang
 * whole documents on theirs, and name values in their messages; the lines of a log outlive the contact.
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

/** Errors of native addons may be of another realm. */
const isError = (value: unknown): value is Error =>
  value instanceof Error || (typeof value === 'object' && value !== null && 'stack' in value && 'message' in value);
