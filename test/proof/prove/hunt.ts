import { prove } from './run-prove';

export interface Hunted {
  name: string;
  caught: { rule: string } | null;
}

/** Hunts the mutants of these names, or all of them, in up to 200 seeds. */
export async function hunt(names: readonly string[] | null): Promise<{ code: number; mutants: Hunted[] }> {
  const only = names === null ? [] : ['--mutant', names.join(',')];
  const { code, stdout } = await prove('--mutants', ...only, '--seed', '1', '--seeds', '200', '--json');
  return { code, mutants: (JSON.parse(stdout) as { mutants: Hunted[] }).mutants };
}

export const survivors = (mutants: readonly Hunted[]): string[] =>
  mutants.filter(({ caught }) => caught === null).map(({ name }) => name);
