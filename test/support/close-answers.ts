import type { OpenApiDocument } from './openapi-document';

/** The names of the components that a part of the document leads to. */
function componentsIn(part: unknown, document: OpenApiDocument, known = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (known.has(name)) continue;
    known.add(name);
    componentsIn(document.components.schemas[name], document, known);
  }
  return known;
}

function close(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return (node as unknown[]).map(close);
  const parts = Object.entries(node).map(([key, part]): [string, unknown] => [
    key,
    key === 'examples' ? part : close(part),
  ]);
  return Object.fromEntries('properties' in node ? [...parts, ['additionalProperties', false]] : parts);
}

/**
 * The document with its answers closed: callers must expect new fields, but our own answers may have only those that
 * are documented.
 */
export function closeAnswers(document: OpenApiDocument): OpenApiDocument {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const answers = componentsIn(
    operations.map(({ responses }) => responses),
    document,
  );
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    answers.has(name) ? close(schema) : schema,
  ]);
  return {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(schemas) as typeof document.components.schemas },
  };
}
