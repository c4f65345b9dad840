import type { Journey, JourneyStep } from '../../domain/journeys/journey';
import { numberSteps } from '../../domain/journeys/journey-flow';
import { goalLabel, stepLabel, triggerLabel, type JourneyNames } from './journey-labels';
import { countText, NO_COUNT, type JourneyCounts } from './journey-counts';
import { printable } from '../../lib/printable';

/**
 * The steps of a journey as a tree of lines with their numbers; a branch has its two ways, and goes on below. Ends with
 * a line feed. With `counts`, each step ends with its own.
 */
export function journeyTree(journey: Journey, names: JourneyNames, counts: JourneyCounts | null = null): string {
  const tail = (number: number): string => {
    const text = counts ? countText(counts.steps.get(number) ?? NO_COUNT) : '';
    return text === '' ? '' : `  [${text}]`;
  };
  const numbers = new Map(numberSteps(journey.steps).map(({ step, number }) => [step, number]));
  const digits = String(numbers.size).length;
  const branches = (steps: readonly JourneyStep[], bar: string): string[] =>
    steps.flatMap((step, place) => {
      const isLast = place === steps.length - 1;
      const own = numbers.get(step) ?? 0;
      const number = String(own).padStart(digits);
      const below = `${bar}${isLast ? ' ' : '│'}  ${' '.repeat(digits + 1)}`;
      const line = `${bar}${isLast ? '└' : '├'}─ ${number} ${printable(stepLabel(step, names))}${tail(own)}`;
      if (step.kind !== 'branch') return [line];
      return [
        line,
        ...way('├', 'yes', step.then, `${below}│  `, below),
        ...way('└', 'no', step.else, `${below}   `, below),
      ];
    });
  const way = (corner: string, answer: string, steps: readonly JourneyStep[], bar: string, below: string): string[] => [
    `${below}${corner}─ ${answer}${steps.length === 0 ? ': continues' : ''}`,
    ...branches(steps, bar),
  ];
  const lines = [`● ${printable(triggerLabel(journey, names))}`, ...branches(journey.steps, ''), '■ end'];
  if (journey.goal) lines.splice(1, 0, `◆ goal: ${goalLabel(journey.goal)}`);
  return `${lines.join('\n')}\n`;
}
