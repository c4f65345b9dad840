import { readFileSync } from 'node:fs';
import Joi from 'joi';
import { BOUNCE_CLASSES } from '../../domain/bounces/bounce-class';
import type { BounceRule } from '../../domain/bounces/bounce-rule';
import { BounceRules } from '../../domain/bounces/bounce-rules';
import { choicesOf, gapsOf, MAX_CHOICES, MAX_GAPS } from '../../domain/bounces/phrase';

const phrase = Joi.string()
  .min(3)
  .max(200)
  .custom((value: string, helpers) => {
    if (gapsOf(value) > MAX_GAPS) return helpers.error('phrase.gaps');
    return choicesOf(value) > MAX_CHOICES ? helpers.error('phrase.choices') : value;
  })
  .messages({
    'phrase.gaps': `{{#label}} can have at most ${MAX_GAPS} wildcards ( * or ? )`,
    'phrase.choices': `{{#label}} can have at most ${MAX_CHOICES} choices in braces`,
  });
/** Phrases of a rule (docs/bounces.md#rules). */
export const phrases = Joi.array().items(phrase).min(1).max(200);
/** A code of a rule, see BounceRule. */
export const CODE = Joi.string().pattern(
  /^(?:[45]|[45]\d\d|[45x]\.\d{1,3}\.\d{1,3})$/,
  'a code such as 5.2.2, x.2.2, 552 or 5',
);
const RULE = Joi.object({
  rule: Joi.string()
    .pattern(/^[a-z0-9][a-z0-9-]{0,63}$/, 'a name of lower-case letters, digits and dashes')
    .required(),
  class: Joi.string()
    .valid(...BOUNCE_CLASSES)
    .required(),
  code: Joi.array().items(CODE).min(1).max(200),
  text: phrases,
  unless: phrases,
  hard: Joi.boolean(),
  sample: Joi.string().min(1).max(2_000).required(),
})
  .or('code', 'text')
  .label('the rule');

/** The rules of a file, and what is wrong with it: the first fault, with its line. */
export interface RulesFile {
  rules: BounceRule[];
  fault: string | null;
}

/**
 * Reads an operator's rules: one JSON object a line; empty lines and lines that begin with # do not count. Every rule
 * must read its own sample (docs/bounces.md#rules). Never throws.
 */
export function readBounceRules(file: string): RulesFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { rules: [], fault: code === 'ENOENT' ? 'names a file that is missing' : `cannot be read: ${code}` };
  }
  const rules: BounceRule[] = [];
  const lines = text.split(/\r?\n/);
  for (const [n, line] of lines.entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const read = readRule(line, rules);
    if ('fault' in read) return { rules: [], fault: `has a wrong rule on line ${n + 1}: ${read.fault}` };
    rules.push(read.rule);
  }
  return { rules, fault: null };
}

function readRule(line: string, before: readonly BounceRule[]): { rule: BounceRule } | { fault: string } {
  let written: unknown;
  try {
    written = JSON.parse(line);
  } catch (error) {
    return { fault: `it is not a JSON object (${error instanceof Error ? error.message : String(error)})` };
  }
  const { error } = RULE.validate(written, { convert: false });
  if (error) return { fault: error.message };
  const value = written as BounceRule;
  if (before.some(({ rule }) => rule === value.rule)) return { fault: `"rule" ${value.rule} is already used` };
  const read = new BounceRules([...before, value]).classify(value.sample);
  return read.rule === value.rule
    ? { rule: value }
    : { fault: `"sample" does not match this rule, but ${read.rule ?? 'no rule'}` };
}
