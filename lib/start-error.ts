/** A reason not to start that the operator can fix: one clear line, exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Explains a listener's error to the operator. */
export function listenError(what: string, port: number, variable: string, error: unknown): StartError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') {
    return new StartError(`Port ${port} (${what}) is already in use: free it, or set ${variable} to another port.`);
  }
  if (code === 'EACCES') {
    return new StartError(`Port ${port} (${what}) needs more privileges: set ${variable} to a port above 1023.`);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new StartError(`The ${what} cannot listen on port ${port} (${variable}): ${reason}`);
}
