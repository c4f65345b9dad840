import type { Journey } from '../../domain/journeys/journey';
import { numberSteps, type NumberedStep } from '../../domain/journeys/journey-flow';
import { goalLabel, stepLabel, triggerLabel, type JourneyNames } from './journey-labels';
import { printable } from '../../lib/printable';

/** The shapes of the steps: brackets around the label. */
const SHAPES = {
  email: ['[', ']'],
  wait: ['([', '])'],
  webhook: ['[[', ']]'],
  add_to_audience: ['[/', '/]'],
  branch: ['{', '}'],
} as const satisfies Record<NumberedStep['step']['kind'], readonly [string, string]>;

/**
 * A journey as a Mermaid flowchart (mermaid.js.org/syntax/flowchart.html): a node for each step, `s` and its number,
 * and arrows to what follows. The number has a colon, since `1.` would begin a list. Ends with a line feed.
 */
export function journeyMermaid(journey: Journey, names: JourneyNames): string {
  const steps = numberSteps(journey.steps);
  const lines = [
    'flowchart TD',
    `start(("${escaped(triggerLabel(journey, names))}"))`,
    ...steps.map((at) => {
      const [open, close] = SHAPES[at.step.kind];
      return `${node(at.number)}${open}"${at.number}: ${escaped(stepLabel(at.step, names))}"${close}`;
    }),
    'finish(("end"))',
    `start --> ${node(steps.length > 0 ? 1 : null)}`,
    ...steps.flatMap(arrows),
  ];
  if (journey.goal) {
    lines.push(`goal{{"goal: ${escaped(goalLabel(journey.goal))}"}}`);
    if (journey.goal.ends) lines.push('goal -.-> finish');
  }
  return `${lines.join('\n  ')}\n`;
}

const node = (number: number | null): string => (number === null ? 'finish' : `s${number}`);

function arrows(at: NumberedStep): string[] {
  if ('next' in at) return [`${node(at.number)} --> ${node(at.next)}`];
  return [`${node(at.number)} -- yes --> ${node(at.then)}`, `${node(at.number)} -- no --> ${node(at.else)}`];
}

/** Quotes would end the label, backticks make it Markdown, `<` begins HTML, and `#` an entity of Mermaid. */
const escaped = (text: string): string =>
  printable(text).replace(/[#"`<>&\\]/g, (character) => `#${character.charCodeAt(0)};`);
