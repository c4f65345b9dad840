/** One variable as a document describes it. */
export interface DocumentedVariable {
  name: string;
  default: string;
  about: string;
}

/** The variables of a `.env` file in order; the comment above each one is its description. */
export function variablesOfEnvFile(text: string): DocumentedVariable[] {
  return [...text.matchAll(/^# (.*)\n([A-Z_]+)=(.*)$/gm)].map(([, about = '', name = '', value = '']) => ({
    name,
    default: value,
    about,
  }));
}

/** The variables of a Markdown table whose rows read | `NAME` | `default` (or nothing) | description |. */
export function variablesOfTable(markdown: string): DocumentedVariable[] {
  const row = /^\|\s*`([A-Z][A-Z_]+)`\s*\|\s*(?:`([^`]*)`)?\s*\|\s*(.*?)\s*\|$/gm;
  return [...markdown.matchAll(row)].map(([, name = '', value = '', about = '']) => ({ name, default: value, about }));
}
