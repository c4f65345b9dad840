/** A number with its noun: `1 email`, `1,200 emails`. `several` is for nouns that do not only add an s. */
export const counted = (n: number, one: string, several = `${one}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : several}`;
