import { readFileSync } from 'node:fs';
import Joi from 'joi';
import { BOUNCE_CLASSES } from '../../domain/bounces/bounce-class';
import { BUILT_IN_FILE, DestinationRules } from '../../domain/destinations/destination-rules';
import type { DestinationFile } from '../../domain/destinations/rules-file';
import { CODE, phrases } from './bounce-rules-file';
import type { VariableName } from './config-variables';
import type { EnvReader } from './env-reader';

const NAME = 'KURIR_DESTINATION_RULES';
const OFF = 'off';

const word = Joi.string().pattern(/^[a-z0-9][a-z0-9-]{0,31}$/, 'a name of lower-case letters, digits and dashes');
const domain = Joi.string()
  .pattern(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/, 'a domain in lower case')
  .max(253);
const rate = Joi.number().integer().min(1).max(10_000_000);
const source = Joi.string().min(1).max(500).required();
const limits = { per_minute: rate, per_hour: rate, source };

const DESTINATION = Joi.object({
  name: word.required(),
  title: Joi.string().min(1).max(100).required(),
  domains: Joi.array().items(domain).unique().max(10_000),
  mx: Joi.array().items(domain).unique().max(1_000),
  ...limits,
}).or('domains', 'mx');

const REPLY = Joi.object({
  name: word.required(),
  destination: word,
  code: Joi.array().items(CODE).min(1).max(200),
  text: phrases,
  unless: phrases,
  class: Joi.string().valid(...BOUNCE_CLASSES),
  do: Joi.string().valid('slow', 'stop', 'stop_workspace', 'nothing').required(),
  minutes: Joi.when('do', {
    is: 'nothing',
    then: Joi.valid(0).required(),
    otherwise: Joi.number().integer().min(1).max(2_880).required(),
  }),
  sample: Joi.string().min(1).max(2_000).required(),
  source,
}).or('code', 'text', 'class');

const FILE = Joi.object({
  destinations: Joi.array().items(DESTINATION).unique('name').max(1_000).required(),
  others: Joi.object(limits).required(),
  slowed_from: Joi.object({ per_minute: rate.required(), source }).required(),
  replies: Joi.array().items(REPLY).unique('name').max(1_000).required(),
});

/**
 * The rules of pacing by destination: those of the operator's file, or else Kurir's own. Null: mail is not paced by
 * destination, which is the default with the sandbox, whose refusals are made on purpose.
 */
export function readDestinations(read: EnvReader<VariableName>, mtaUrl: string | null): DestinationFile | null {
  const file = read.text(NAME);
  if (file === OFF || (file === '' && mtaUrl === null)) return null;
  if (file === '') return BUILT_IN_FILE;
  const found = readFile(file);
  if ('fault' in found) read.fault(NAME, found.fault);
  return 'fault' in found ? null : found.rules;
}

function readFile(file: string): { rules: DestinationFile } | { fault: string } {
  let written: unknown;
  try {
    written = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { fault: 'names a file that is missing' };
    return { fault: code === undefined ? `names a file that is not JSON: ${message}` : `cannot be read: ${code}` };
  }
  return checkDestinations(written);
}

/** Checks rules of pacing by destination: their form, their names, and that every reply rule reads its own sample. */
export function checkDestinations(written: unknown): { rules: DestinationFile } | { fault: string } {
  const { error } = FILE.validate(written, { convert: false });
  if (error) return { fault: `names a file with an error: ${error.message}` };
  const rules = written as DestinationFile;
  const fault = twiceIn(rules, 'domains') ?? twiceIn(rules, 'mx') ?? strangeReply(rules);
  return fault === null ? { rules } : { fault: `names a file with an error: ${fault}` };
}

function twiceIn({ destinations }: DestinationFile, field: 'domains' | 'mx'): string | null {
  const owners = new Map<string, string>();
  for (const destination of destinations) {
    for (const item of destination[field] ?? []) {
      const owner = owners.get(item);
      if (owner) return `"${field}" of ${destination.name} contains ${item}, which is already in ${owner}`;
      owners.set(item, destination.name);
    }
  }
  return null;
}

function strangeReply(file: DestinationFile): string | null {
  const rules = new DestinationRules(file);
  for (const { name, destination, sample, do: act } of file.replies) {
    if (destination !== undefined && !rules.names.includes(destination)) {
      return `the reply rule ${name} is for "destination" ${destination}, which is not in "destinations"`;
    }
    const found = rules.replyRule(destination ?? '', sample)?.name;
    if (found !== (act === 'nothing' ? undefined : name)) {
      return `"sample" of the reply rule ${name} does not match it, but ${found ?? 'no rule'}`;
    }
  }
  return null;
}
