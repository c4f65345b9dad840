/**
 * The parts of a Redis error that are safe to log: its text and code. The client's errors also contain the command with
 * its arguments, and the server repeats the arguments of an unknown command; these may hold passwords or the identity
 * of callers.
 */
export function describeFault(error: unknown): { reason: string; code?: string } {
  const { message = String(error), code } = error as Partial<NodeJS.ErrnoException>;
  const reason = message.replace(/,? with args beginning with:.*$/s, '');
  return typeof code === 'string' ? { reason: reason || code, code } : { reason };
}
