/**
 * What may be logged of an error of Redis: its text and code. The client's errors also carry the command with its arguments, and
 * the server repeats those of a command it does not know: passwords, and who called.
 */
export function describeFault(error: unknown): { reason: string; code?: string } {
  const { message = String(error), code } = error as Partial<NodeJS.ErrnoException>;
  const reason = message.replace(/,? with args beginning with:.*$/s, '');
  return typeof code === 'string' ? { reason: reason || code, code } : { reason };
}
