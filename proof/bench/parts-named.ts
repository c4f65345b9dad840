/** The requested parts, each given by its name or the prefix before the dash. Throws on an unknown name. */
export function partsNamed(names: readonly string[], parts: readonly string[]): string[] {
  const chosen = names.flatMap((name) => {
    const found = parts.filter((part) => part === name || part.startsWith(`${name}-`));
    if (found.length === 0) throw new Error(`There is no part "${name}".`);
    return found;
  });
  return [...new Set(chosen)];
}
