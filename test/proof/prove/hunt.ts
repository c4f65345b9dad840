import { prove } from './run-prove';

export interface Hunted {
  name: string;
  caught: { seed: number; rule: string } | null;
}

interface Hunt {
  code: number;
  mutants: Hunted[];
  /** Seeds that tell of something without a mutant, too. */
  unclean: { seed: number; rule: string | null; text: string }[];
}

/** Hunts the mutants of these names, or all of them, in up to 500 seeds. */
export async function hunt(names: readonly string[] | null): Promise<Hunt> {
  const only = names === null ? [] : ['--mutant', names.join(',')];
  const { code, stdout } = await prove('--mutants', ...only, '--seed', '1', '--seeds', '500', '--json');
  return { code, ...(JSON.parse(stdout) as Omit<Hunt, 'code'>) };
}

export const survivors = (mutants: readonly Hunted[]): string[] =>
  mutants.filter(({ caught }) => caught === null).map(({ name }) => name);
