/** The parts that were asked for, each by its name or by what comes before a dash in it. Throws with a name that is neither. */
export function partsNamed(names: readonly string[], parts: readonly string[]): string[] {
  const chosen = names.flatMap((name) => {
    const found = parts.filter((part) => part === name || part.startsWith(`${name}-`));
    if (found.length === 0) throw new Error(`There is no part "${name}".`);
    return found;
  });
  return [...new Set(chosen)];
}
