/** The logger interface for all parts of the program; pino fits it. */
export interface Logger {
  debug(facts: object, text: string): void;
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

/** The logger of a whole process, which can also log what ends it. */
export interface ProcessLogger extends Logger {
  /** An error that ends the process. */
  fatal(facts: object, text: string): void;
}

const ignore = (): void => undefined;

/** For parts that run without a log. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
