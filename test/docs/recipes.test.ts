import { describe, expect, test } from '@jest/globals';
import { readDocument } from './markdown';
import { stepsOf, textAt } from './recipes';

const steps = stepsOf(readDocument('CONTRIBUTING.md'));
const recipes = [...new Set(steps.map(({ recipe }) => recipe))];

describe('the recipes of CONTRIBUTING.md', () => {
  test('are found, each with its steps', () => {
    expect(recipes).toEqual(
      expect.arrayContaining(['A new failed_reason', 'A webhook event', 'A list endpoint', 'A message field']),
    );
    for (const recipe of recipes) expect(steps.filter((step) => step.recipe === recipe).length).toBeGreaterThan(2);
  });

  test.each(recipes)('%s: every name of a step stands in a file that the step names', (recipe) => {
    const lost = steps
      .filter((step) => step.recipe === recipe)
      .flatMap(({ number, paths, names }) => {
        const texts = paths.map((path) => textAt(path) ?? '');
        const isThere = (name: string): boolean => texts.some((text) => new RegExp(`\\b${name}\\b`).test(text));
        return names.filter((name) => !isThere(name)).map((name) => `step ${number}: ${name}`);
      });
    expect(lost).toEqual([]);
  });

  test('code within a step stands in the tree as it stands there', () => {
    const blocks = [...readDocument('CONTRIBUTING.md').matchAll(/^ +```ts\n([\s\S]*?)^ +```$/gm)];
    const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
    const tree = flat(textAt('operations/domains') ?? '');
    expect(blocks).toHaveLength(1);
    expect(blocks.map(([, code = '']) => flat(code)).filter((code) => !tree.includes(code))).toEqual([]);
  });

  test('a name that is elsewhere is found out', () => {
    const text =
      '## Where a change goes\n\n### One\n\n1. `domain/texts.ts`: `TOPICS` or\n   `page`\n\nMore.\n\n## Next\n';
    expect(stepsOf(text)).toEqual([
      { recipe: 'One', number: 1, paths: ['domain/texts.ts'], names: ['TOPICS', 'page'] },
    ]);
    expect(textAt('domain/texts.ts')).not.toContain('TOPICS');
    expect(textAt('domain/no-such-file.ts')).toBe(null);
  });
});
