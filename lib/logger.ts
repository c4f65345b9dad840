/** What the parts of the program need of a logger; pino is one. */
export interface Logger {
  debug(facts: object, text: string): void;
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

/** The logger of a whole process, for what can end it. */
export interface ProcessLogger extends Logger {
  /** The process ends because of it. */
  fatal(facts: object, text: string): void;
}

const ignore = (): void => undefined;

/** For parts that are used without a log. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
