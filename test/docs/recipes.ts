import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument, ROOT } from './markdown';

/** One numbered step of a recipe: the files and folders that it names, and the names that stand in them. */
export interface Step {
  recipe: string;
  number: number;
  paths: string[];
  names: string[];
}

/** A path from the top; `<subject>` and the like stand for what the reader adds. */
const PATH = /^[\w.-]+\/[\w./-]*$|^[\w-]+\.(?:ts|yml|md)$/;
const NAME = /^[A-Za-z_$][\w$]*$/;

/** The steps of every recipe of CONTRIBUTING.md, in order. */
export function stepsOf(contributing: string): Step[] {
  const [, recipes = ''] = /^## Where a change goes$([\s\S]*?)^## /m.exec(contributing) ?? [];
  return recipes
    .split(/^### /m)
    .slice(1)
    .flatMap((text) => {
      const [recipe = '', ...rest] = text.split('\n');
      return rest
        .join('\n')
        .split(/^(?=\d+\. )/m)
        .filter((step) => /^\d+\. /.test(step))
        .map((step) => stepOf(recipe, step.split('\n\n')[0] ?? ''));
    });
}

function stepOf(recipe: string, step: string): Step {
  const spans = [...step.matchAll(/`([^`]+)`/g)].map(([, span]) => span ?? '');
  const number = Number.parseInt(step, 10);
  return {
    recipe,
    number,
    paths: spans.filter((span) => PATH.test(span)),
    names: spans.filter((span) => NAME.test(span)),
  };
}

/** The text of a file, or of all files directly in a folder; null when there is none. */
export function textAt(path: string): string | null {
  const full = join(ROOT, path);
  if (!existsSync(full)) return null;
  if (!statSync(full).isDirectory()) return readDocument(path);
  return readdirSync(full, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readDocument(join(path, entry.name)))
    .join('\n');
}
