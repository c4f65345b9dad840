import type { Logger } from '../../lib/logger';

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  facts: Record<string, unknown>;
  text: string;
}

/** A logger that stores its lines. */
export function keepingLogger(): Logger & { lines: LogLine[]; at(...levels: LogLine['level'][]): string[] } {
  const lines: LogLine[] = [];
  const keep =
    (level: LogLine['level']) =>
    (facts: object, text: string): void =>
      void lines.push({ level, facts: { ...facts }, text });
  const logger = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
  return {
    ...logger,
    lines,
    at: (...levels) => lines.filter(({ level }) => levels.includes(level)).map(({ text }) => text),
  };
}
