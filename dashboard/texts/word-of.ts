import type { Texts } from './texts';

/**
 * A word of an operation in the language of the page: `pending_dns` is `wordPendingDns`. One that is not known stays.
 */
export function wordOf(t: Texts, word: string): string {
  const key = `word_${word}`.replace(/[_ -]+(\w)/g, (_, first: string) => first.toUpperCase());
  return (t as Readonly<Record<string, string>>)[key] ?? word;
}
